import Bitcoin
import TapManager

/// A descriptor whose address a caller wants proven: which of its keys are a card's, and whether they truly are.
///
/// Spec: BIP-380 to BIP-383; HWI 3.2.0, `displayaddress`.
struct HWIDescriptor {
    private let text: String
    private let descriptor: Descriptor
    /// Steps behind a key that has no chain code, which only the card can take: HWI reads such descriptors.
    private let bareSteps: DerivationPath?

    /// Reads a descriptor with or without its checksum.
    /// - Throws: `HWIError`: `.badArgument` for what is none and for a multisig with two keys of one holder, `.unavailableAction`
    ///   for taproot.
    init(_ text: String) throws(HWIError) {
        let descriptor: Descriptor
        var bareSteps: DerivationPath?
        do throws(DescriptorError) {
            do throws(DescriptorError) { descriptor = try Descriptor(parsing: text) } catch {
                guard error == .key(.noChildren), let bare = try Self.withoutBareSteps(text) else { throw error }
                (descriptor, bareSteps) = (try Descriptor(parsing: bare.text), bare.steps)
            }
        } catch {
            // Not repeated here: there may be a private key in it.
            throw HWIError(.badArgument, "Not a descriptor: \(error).")
        }
        guard !descriptor.hasPrivateKeys else {
            throw HWIError(.badArgument, "There is a private key in the descriptor; it belongs nowhere near here.")
        }
        switch descriptor.expression {
        case .pkh, .wpkh, .sh(.wpkh), .sh(.multi), .wsh(.multi), .sh(.wsh(.multi)): break
        case .tr: throw HWIError(.unavailableAction, "Device does not support Taproot")
        default: throw HWIError(.badArgument, "Not a descriptor whose address a device displays: \(text)")
        }
        if descriptor.threshold != nil, let (one, other) = SharedCosigner.places(in: descriptor.keys) {
            throw HWIError(
                .badArgument,
                "Keys \(one + 1) and \(other + 1) of the descriptor are one and the same, or follow from each other: whoever "
                    + "has one signs twice.")
        }
        (self.text, self.descriptor, self.bareSteps) = (text, descriptor, bareSteps)
    }

    /// A descriptor of one key without the steps behind that key, and these; a `*` is the first index.
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

    /// The card's hardened paths that must be looked at.
    /// - Throws: `HWIError.badArgument` when no key is said to be this card's.
    func accounts(of fingerprint: Fingerprint) throws(HWIError) -> [DerivationPath] {
        guard descriptor.keys.count > 1 || descriptor.keys.first?.origin != nil else {
            throw HWIError(.badArgument, "Descriptor missing origin info: \(text)")
        }
        let origins = descriptor.keys.compactMap(\.origin).filter { $0.fingerprint == fingerprint }
        guard !origins.isEmpty else {
            throw HWIError(.badArgument, "Descriptor fingerprint does not match device: \(text)")
        }
        var accounts: [DerivationPath] = []
        for origin in origins {
            guard let split = origin.path.splitAtFirstNormalStep,
                split.hardened.steps.count <= CardPath.maximumAccountDepth
            else { throw HWIError(.badArgument, "The card has no key at \(origin.path): \(text)") }
            if !accounts.contains(split.hardened) { accounts.append(split.hardened) }
        }
        return accounts
    }

    /// Confirms that each key that is said to be the card's is what the card has at its path, and that it can sign there.
    /// - Parameter keys: the card's extended keys at `accounts(of:)`.
    /// - Throws: `HWIError.badArgument`.
    func verify(_ keys: SignerKeys) throws(HWIError) {
        for key in descriptor.keys {
            guard let origin = key.origin, origin.fingerprint == keys.masterFingerprint else { continue }
            guard let split = origin.path.splitAtFirstNormalStep,
                let own = try? keys.accounts[split.hardened]?.descendant(split.normal), key.isSame(as: own)
            else { throw HWIError(.badArgument, "Key in descriptor does not match device: \(text)") }
            guard let whole = try? key.origin()?.path else { continue }
            try HWICard.requireSignable(whole.appending(bareSteps ?? DerivationPath([])))
        }
    }

    /// What a person must know of a script of several keys; `nil` for one key.
    /// - Parameter fingerprint: the card's.
    func caution(_ fingerprint: Fingerprint) -> String? {
        let others = descriptor.keys.count { $0.origin?.fingerprint != fingerprint }
        guard let threshold = descriptor.threshold, others > 0 else { return nil }
        return
            "It is of \(descriptor.keys.count) keys, any \(threshold) of which can spend; \(others) of them "
            + "not this card's, which knows nothing of those."
    }

    /// The paths of its keys, as far as they are told, to the first address.
    var paths: [DerivationPath] {
        descriptor.keys.compactMap { key in
            (try? key.origin()?.path).map { $0.appending(bareSteps ?? DerivationPath([])) }
        }
    }

    /// Whether it has more addresses than one.
    var isRanged: Bool { descriptor.isRanged || descriptor.branchCount > 1 }

    /// Its first address.
    /// - Parameter keys: the card's, verified.
    /// - Throws: `HWIError.badArgument` when there is none.
    func address(_ keys: SignerKeys, on network: Network) throws(HWIError) -> Address {
        guard let script = script(keys), let address = Address(scriptPubKey: script, network: network)
        else {
            throw HWIError(.badArgument, "The descriptor has no address: \(text)")
        }
        return address
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

extension Descriptor {
    /// How many of its keys a multisig wants.
    fileprivate var threshold: Int? {
        switch expression {
        case .sh(.multi(let threshold, _, _)), .wsh(.multi(let threshold, _, _)),
            .sh(.wsh(.multi(let threshold, _, _))):
            threshold
        default: nil
        }
    }
}

extension DescriptorKey {
    /// Whether it is this key, with or without its chain code, for whichever network it is written.
    fileprivate func isSame(as own: ExtendedPublicKey) -> Bool {
        switch material {
        case .publicKey(let bytes): bytes == own.publicKey.bytes
        case .extended(let key): key.publicKey == own.publicKey && key.chainCode == own.chainCode
        case .xOnly, .privateKey, .extendedPrivate: false
        }
    }
}
