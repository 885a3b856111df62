import Bitcoin
import ByteCodec
import TapProtocol

/// What a card signs when a wallet is registered with it: the wallet's name and descriptors.
///
/// Spec: BIP-388, "Registration flow": the card has no screen, so the user checks the wallet on the host's; like the
/// devices of BIP-388 that store nothing, the card signs what was checked.
package struct RegisteredContent: Sendable {
    /// The wallet's name.
    package let name: String
    /// Its descriptors in their one written form, with checksums, in order.
    package let descriptors: [DescriptorText]
    /// The keys in the descriptors.
    private let keys: [DescriptorKey]

    private static let version: UInt8 = 1

    /// What a wallet shows. Its network is not signed, but must be one of the kind that the keys are for.
    package init(_ wallet: WatchWallet) {
        name = wallet.name
        descriptors = wallet.descriptors.compactMap(DescriptorText.init)
        keys = wallet.descriptors.flatMap(\.keys)
    }

    /// Whether a fingerprint is the origin of one of the keys.
    func names(_ fingerprint: Fingerprint) -> Bool { keys.contains { $0.origin?.fingerprint == fingerprint } }

    /// What is signed: a tagged hash, so that it is neither a transaction's nor a message's.
    /// - Parameter salt: 16 bytes.
    ///
    /// Spec: BIP-340, "Tagged hashes", of: the version, the salt, the name, the number of descriptors, each descriptor; the
    /// lengths of texts come first, as compact sizes.
    func digest(salt: [UInt8]) -> Digest {
        var message: [UInt8] = [Self.version]
        message += salt
        message.appendSized(name.utf8)
        message.appendCompactSize(descriptors.count)
        for descriptor in descriptors { message.appendSized(descriptor.description.utf8) }
        return Digest(taggedHash: "tapkit/wallet registration", message)
    }

    /// The hardened paths at which the descriptors have extended keys with a fingerprint, each once, in the order of the
    /// text. A card with this fingerprint signs with the first of them: a registration by a single key is none to
    /// `isSigned(as:)`.
    package func accounts(of fingerprint: Fingerprint) -> [DerivationPath] {
        var paths: [DerivationPath] = []
        for key in keys {
            guard case .extended = key.material, let origin = key.origin, origin.fingerprint == fingerprint,
                CardPath(origin.path)?.subpath.steps.isEmpty == true, !paths.contains(origin.path)
            else { continue }
            paths.append(origin.path)
        }
        return paths
    }

    /// The hardened paths that it takes to examine every key with a fingerprint: those of `accounts(of:)`, then those of
    /// single keys.
    func accountsOfAllKeys(of fingerprint: Fingerprint) -> [DerivationPath] {
        var paths = accounts(of: fingerprint)
        for key in keys {
            guard case .publicKey = key.material, let origin = key.origin, origin.fingerprint == fingerprint,
                let path = CardPath(origin.path), !paths.contains(path.account)
            else { continue }
            paths.append(path.account)
        }
        return paths
    }

    /// Confirms that every key with the card's fingerprint is the card's.
    /// - Parameter own: the card's keys at `accountsOfAllKeys(of:)`, proven.
    /// - Throws: `.falseKey`.
    func requireKeys(of own: SignerKeys) throws(AddressProofError) {
        var own = own
        for key in keys {
            guard let origin = key.origin, origin.fingerprint == own.masterFingerprint else { continue }
            let isOwn =
                switch key.material {
                case .extended(let claimed):
                    own.accounts[origin.path].map {
                        claimed.publicKey == $0.publicKey && claimed.chainCode == $0.chainCode
                    } ?? false
                case .publicKey(let bytes):
                    CardPath(origin.path).flatMap { own.publicKey(at: $0) }?.bytes == bytes
                default: false
                }
            guard isOwn else { throw .falseKey(origin.path) }
        }
    }

    /// The account in the descriptors whose key made a registration; `nil` if none of them did.
    func signer(of registration: WalletRegistration) -> KeyOrigin? {
        let digest = digest(salt: registration.salt)
        var tried: Set<PublicKey> = []
        for key in keys {
            guard let origin = key.origin, case .extended(let claimed) = key.material,
                tried.insert(claimed.publicKey).inserted
            else { continue }
            if registration.isSignature(of: digest, by: claimed.publicKey) { return origin }
        }
        return nil
    }

    /// Whether the key that the descriptors have for a registration's account made it. That this key is the card's, only
    /// the card shows.
    func isSigned(as stored: StoredRegistration) -> Bool {
        guard let registration = WalletRegistration(stored.bytes) else { return false }
        let digest = digest(salt: registration.salt)
        return keys.lazy.filter { $0.origin == stored.account }.contains { key in
            guard case .extended(let claimed) = key.material else { return false }
            return registration.isSignature(of: digest, by: claimed.publicKey)
        }
    }
}
