import Bitcoin

/// A descriptor whose first address a card is to prove: which of its keys are claimed to be the card's, and whether
/// they are.
///
/// Spec: BIP-380 to BIP-383.
package struct AddressDescriptor: Sendable {
    private let descriptor: Descriptor
    /// Steps after a key without chain code, which only the card can derive: HWI accepts such descriptors.
    private let bareSteps: DerivationPath?

    /// Parses a descriptor with or without its checksum.
    /// - Throws: `AddressClaimError`: `.noDescriptor`, `.privateKey`, `.taproot`, `.otherScript`; `.oneHolder` for a
    ///   multisig with two keys of one holder.
    package init(parsing text: String) throws(AddressClaimError) {
        let descriptor: Descriptor
        var bareSteps: DerivationPath?
        do throws(DescriptorError) {
            do throws(DescriptorError) { descriptor = try Descriptor(parsing: text) } catch {
                guard error == .key(.noChildren), let bare = try Self.withoutBareSteps(text) else { throw error }
                (descriptor, bareSteps) = (try Descriptor(parsing: bare.text), bare.steps)
            }
        } catch { throw .noDescriptor(error) }
        guard !descriptor.hasPrivateKeys else { throw .privateKey }
        switch descriptor.expression {
        case .pkh, .wpkh, .sh(.wpkh), .sh(.multi), .wsh(.multi), .sh(.wsh(.multi)): break
        case .tr: throw .taproot
        default: throw .otherScript
        }
        if descriptor.keys.count > 1, let (one, other) = SharedCosigner.places(in: descriptor.keys) {
            throw .oneHolder(one, other)
        }
        (self.descriptor, self.bareSteps) = (descriptor, bareSteps)
    }

    /// A single-key descriptor without the steps after the key, and those steps; a `*` becomes the first index.
    /// - Throws: `DescriptorError.checksum`.
    private static func withoutBareSteps(
        _ text: String
    ) throws(DescriptorError) -> (text: String, steps: DerivationPath)? {
        let payload: String
        do throws(DescriptorChecksum.Failure) { payload = try DescriptorChecksum.verify(text) } catch {
            throw .checksum(error)
        }
        guard let key = payload.lastIndex(of: "]"), let start = payload[key...].firstIndex(of: "/"),
            let end = payload[start...].firstIndex(of: ")"), !payload.contains(",")
        else { return nil }
        var path = "m" + payload[start..<end]
        if path.hasSuffix("/*") { path = path.dropLast() + "0" }
        guard let steps = try? DerivationPath(parsing: path), steps.steps.allSatisfy({ !$0.isHardened }) else {
            return nil
        }
        return (String(payload[..<start] + payload[end...]), steps)
    }

    /// Whether it has more addresses than the first.
    var isOfSeveral: Bool { descriptor.isRanged || descriptor.branchCount > 1 }

    /// The hardened paths of the keys that are claimed to be a card's.
    /// - Throws: `AddressClaimError`: `.noOrigin`, `.otherFingerprint` if no key is claimed to be this card's,
    ///   `.noKey`.
    func accounts(of fingerprint: Fingerprint) throws(AddressClaimError) -> [DerivationPath] {
        guard descriptor.keys.count > 1 || descriptor.keys.first?.origin != nil else { throw .noOrigin }
        let origins = descriptor.keys.compactMap(\.origin).filter { $0.fingerprint == fingerprint }
        guard !origins.isEmpty else { throw .otherFingerprint(fingerprint) }
        var accounts: [DerivationPath] = []
        for origin in origins {
            guard let split = origin.path.splitAtFirstNormalStep,
                split.hardened.steps.count <= CardPath.maximumAccountDepth
            else { throw .noKey(origin.path) }
            if !accounts.contains(split.hardened) { accounts.append(split.hardened) }
        }
        return accounts
    }

    /// The first address, if each key that is claimed to be the card's is what the card has at its path, and the card
    /// can sign there.
    /// - Parameter keys: the card's extended keys at `accounts(of:)`, whichever network they are encoded for.
    /// - Throws: `AddressClaimError`: `.falseKey`, `.notSignable`, `.noAddress`.
    func proven(by keys: SignerKeys, on network: Network) throws(AddressClaimError) -> ProvenAddress {
        var ownPaths: [DerivationPath] = []
        for key in descriptor.keys {
            guard let origin = key.origin, origin.fingerprint == keys.masterFingerprint else { continue }
            guard let split = origin.path.splitAtFirstNormalStep,
                let own = try? keys.accounts[split.hardened]?.descendant(split.normal), key.isSame(as: own)
            else { throw .falseKey(origin.path) }
            guard let path = path(of: key) else { throw .noAddress }
            guard CardPath(path) != nil else { throw .notSignable(path) }
            ownPaths.append(path)
        }
        guard let script = script(keys), let address = Address(scriptPubKey: script, network: network) else {
            throw .noAddress
        }
        return ProvenAddress(
            address: address, cautions: cautions(ownPaths), isFirstOfSeveral: isOfSeveral)
    }

    /// What the user must know: who else can spend from a multisig script, and whether nobody looks where it is.
    private func cautions(_ ownPaths: [DerivationPath]) -> [AddressCaution] {
        var cautions: [AddressCaution] = []
        let others = descriptor.keys.count - ownPaths.count
        if let multisig = descriptor.multisig, others > 0 {
            cautions.append(.otherHolders(others, of: multisig.keyCount, threshold: multisig.threshold))
        }
        if let fault = ReachFault(ownPaths, among: descriptor.keys.compactMap(path)) {
            cautions.append(.remote(fault))
        }
        return cautions
    }

    /// The path of a key, to the first address; `nil` if it is unknown.
    private func path(of key: DescriptorKey) -> DerivationPath? {
        (try? key.origin())?.path.appending(bareSteps ?? DerivationPath([]))
    }

    private func script(_ keys: SignerKeys) -> Script? {
        guard let bareSteps else { return try? descriptor.script() }
        let kind: ScriptKind
        switch descriptor.expression {
        case .pkh: kind = .p2pkh
        case .wpkh: kind = .p2wpkh
        case .sh(.wpkh): kind = .p2shP2WPKH
        default: return nil
        }
        guard let split = descriptor.keys.first?.origin?.path.splitAtFirstNormalStep,
            let key = try? keys.accounts[split.hardened]?.descendant(split.normal).descendant(bareSteps)
        else { return nil }
        return kind.scriptPubKey(for: key.publicKey)
    }
}

extension DescriptorKey {
    /// Whether it is this key, with or without its chain code, whichever network it is encoded for.
    fileprivate func isSame(as own: ExtendedPublicKey) -> Bool {
        switch material {
        case .publicKey(let bytes): bytes == own.publicKey.bytes
        case .extended(let key): key.publicKey == own.publicKey && key.chainCode == own.chainCode
        case .xOnly, .privateKey, .extendedPrivate: false
        }
    }
}
