import Bitcoin

/// A wallet before it is stored, with valid descriptors.
package struct WalletDraft: Sendable {
    /// The most descriptors of one wallet.
    static let maximumDescriptorCount = 100

    /// The wallet.
    package let wallet: WatchWallet

    /// Validates descriptors. A `combo` becomes the descriptors that it stands for.
    /// - Parameters:
    ///   - network: the requested one; `nil`: the one that extended keys and addresses show, else bitcoin.
    ///   - texts: descriptors, with or without checksums.
    /// - Throws: `.descriptorCount`, `.descriptor`, `.privateKeys`, `.otherNetwork`, `.sameDescriptor`,
    ///   `.unsound`; for descriptors from which no script can be derived, `.descriptor` with `.hardenedStep`.
    package init(name: WalletName, network: Network?, descriptors texts: [String]) throws(WalletError) {
        try Self.requireCount(of: texts)
        var descriptors: [Descriptor] = []
        var written: Set<String?> = []
        var families: Set<KeyNetwork> = []
        for (index, text) in texts.enumerated() {
            let descriptor = try Self.descriptor(text, number: index + 1)
            let own = descriptor.keyNetworks
            if let network, !own.subtracting([network.keyNetwork]).isEmpty {
                throw .otherNetwork(index + 1, wanted: network)
            }
            families.formUnion(own)
            guard families.count <= 1 else { throw .otherNetwork(index + 1, wanted: .main) }
            for one in descriptor.withoutCombo {
                guard written.insert(one.text).inserted else { throw .sameDescriptor(index + 1) }
                descriptors.append(one)
            }
        }
        wallet = try WatchWallet(
            name: name.description, network: network ?? (families.contains(.test) ? .test : .main),
            descriptors: descriptors)
        try wallet.requireSound()
    }

    /// - Throws: `.descriptorCount` for none, and for more than a wallet may have.
    static func requireCount(of texts: [String]) throws(WalletError) {
        guard !texts.isEmpty, texts.count <= maximumDescriptorCount else {
            throw .descriptorCount(limit: maximumDescriptorCount)
        }
    }

    /// A descriptor with public keys only, from which scripts can be derived.
    /// - Throws: `.descriptor`, `.privateKeys` with its number.
    static func descriptor(_ text: String, number: Int) throws(WalletError) -> Descriptor {
        let descriptor: Descriptor
        do throws(DescriptorError) { descriptor = try Descriptor(parsing: text) } catch {
            throw .descriptor(number, error)
        }
        guard !descriptor.hasPrivateKeys else { throw .privateKeys(number) }
        do throws(DescriptorError) {
            for branch in 0..<descriptor.branchCount { _ = try descriptor.scripts(branch: branch) }
        } catch { throw .descriptor(number, error) }
        return descriptor
    }

    /// The same, where `/**` after a key stands for `/<0;1>/*`, as Nunchuk writes it. A checksum is that of the text as
    /// written.
    ///
    /// Spec: BIP-388, "Key placeholders"; BIP-129, "Descriptor Template".
    static func descriptor(writtenAs text: String, number: Int) throws(WalletError) -> Descriptor {
        let mark = "/**"
        var text = text
        if text.contains(mark) {
            do throws(DescriptorChecksum.Failure) { text = try DescriptorChecksum.verify(text) } catch {
                throw .descriptor(number, .checksum(error))
            }
            text = text.replacing(mark, with: "/<0;1>/*")
        }
        return try descriptor(text, number: number)
    }

    /// The wallet's stored form.
    package func stored(at time: UnixTime) -> StoredWallet {
        StoredWallet(
            name: wallet.name, network: wallet.network, descriptors: wallet.descriptors.compactMap(DescriptorText.init),
            created: time)
    }
}

extension Descriptor {
    /// The kinds of network that its extended keys and addresses are for; empty if it does not show any.
    var keyNetworks: Set<KeyNetwork> {
        if case .address(_, let text) = expression {
            let networks = Network.allCases.filter { (try? Address(parsing: text, network: $0)) != nil }
            return Set(networks.map(\.keyNetwork))
        }
        return Set(
            keys.compactMap { key in
                if case .extended(let extended) = key.material { extended.network } else { nil }
            })
    }

    /// The descriptors that a `combo` stands for, in order; the descriptor itself if it is not a `combo`.
    ///
    /// Spec: BIP-384.
    fileprivate var withoutCombo: [Descriptor] {
        guard case .combo = expression else { return [self] }
        guard let text, let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")") else { return [self] }
        let inner = text[text.index(after: start)..<end]
        // An uncompressed key has no witness programs.
        let texts = ["pk(\(inner))", "pkh(\(inner))", "wpkh(\(inner))", "sh(wpkh(\(inner)))"]
        return texts.compactMap { try? Descriptor(parsing: $0) }
    }
}
