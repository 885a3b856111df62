import Bitcoin
import TapManager

/// A descriptor whose address a caller wants proven: which of its keys are a card's, and whether they truly are.
///
/// Spec: BIP-380 to BIP-383; HWI 3.2.0, `displayaddress`.
struct HWIDescriptor {
    private let text: String
    private let descriptor: Descriptor

    /// Reads a descriptor with or without its checksum.
    /// - Throws: `HWIError`: `.badArgument` for what is none, `.unavailableAction` for taproot.
    init(_ text: String) throws(HWIError) {
        let descriptor: Descriptor
        do throws(DescriptorError) { descriptor = try Descriptor(parsing: text) } catch {
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
        (self.text, self.descriptor) = (text, descriptor)
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

    /// Confirms that each key that is said to be the card's is what the card has at its path.
    /// - Parameter keys: the card's extended keys at `accounts(of:)`.
    /// - Throws: `HWIError.badArgument`.
    func verify(_ keys: SignerKeys) throws(HWIError) {
        for key in descriptor.keys {
            guard let origin = key.origin, origin.fingerprint == keys.masterFingerprint else { continue }
            guard let split = origin.path.splitAtFirstNormalStep,
                let own = try? keys.accounts[split.hardened]?.descendant(split.normal), key.isSame(as: own)
            else { throw HWIError(.badArgument, "Key in descriptor does not match device: \(text)") }
        }
    }

    /// Its first address.
    /// - Throws: `HWIError.badArgument` when there is none.
    func address(on network: Network) throws(HWIError) -> Address {
        guard let script = try? descriptor.script(), let address = Address(scriptPubKey: script, network: network)
        else {
            throw HWIError(.badArgument, "The descriptor has no address: \(text)")
        }
        return address
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
