import Bitcoin

/// A card's signature of a wallet: see `RegisteredContent`.
package struct WalletRegistration: Sendable, Hashable {
    /// The length of the encoding: version, salt and signature.
    static let length = 1 + saltLength + ECDSASignature.length
    static let saltLength = 16
    private static let version: UInt8 = 1

    /// Random bytes that are signed, too. Whoever listens to the reader and knows what the card signs learns the CVC: without
    /// the salt, every cosigner would know it.
    ///
    /// Spec: protocol, "Who can forge what".
    let salt: [UInt8]
    private let signature: ECDSASignature

    init(salt: [UInt8], signature: ECDSASignature) { (self.salt, self.signature) = (salt, signature) }

    /// Reads 81 bytes; `nil` for anything else.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes.first == Self.version,
            let signature = ECDSASignature(compact: bytes.dropFirst(1 + Self.saltLength))
        else { return nil }
        self.init(salt: Array(bytes.dropFirst().prefix(Self.saltLength)), signature: signature)
    }

    /// The encoding, 81 bytes: version 1, salt, R, S.
    package var bytes: [UInt8] { [Self.version] + salt + signature.compact }

    static func randomSalt() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<saltLength).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Whether a key has signed this content.
    package func isSignature(of content: RegisteredContent, by key: PublicKey) -> Bool {
        isSignature(of: content.digest(salt: salt), by: key)
    }

    /// Whether a key has signed content with this digest, which belongs to `salt`.
    func isSignature(of digest: Digest, by key: PublicKey) -> Bool { key.isValid(signature, for: digest) }
}

/// A registration as it is stored with its wallet.
package struct StoredRegistration: Sendable, Hashable {
    /// The card's account whose key signed: the master key's fingerprint, and the path.
    package let account: KeyOrigin
    /// A `WalletRegistration`, or what somebody made of it.
    package let bytes: [UInt8]
    /// When it was made.
    package let created: UnixTime

    /// - Parameter bytes: those of a `WalletRegistration`; not checked here.
    package init(account: KeyOrigin, bytes: [UInt8], created: UnixTime) {
        (self.account, self.bytes, self.created) = (account, bytes, created)
    }

    /// Whether a key has signed this content.
    func isSignature(of content: RegisteredContent, by key: PublicKey) -> Bool {
        WalletRegistration(bytes)?.isSignature(of: content, by: key) ?? false
    }
}
