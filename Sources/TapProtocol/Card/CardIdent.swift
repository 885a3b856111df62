import Bitcoin
import ByteCodec

/// A card's name: a hash of its public key, short enough for people to compare.
///
/// Spec: protocol, "Identities".
public struct CardIdent: Hashable, Sendable, CustomStringConvertible {
    /// Four groups of five Base32 characters with dashes between them.
    public let text: String
    /// 16 lower-case hexadecimal digits, as TAPSIGNER links carry them (`c`).
    public let short: String

    /// The ident of the card with this key.
    public init(of cardKey: PublicKey) { self.init(hash: SHA256.hash(cardKey.bytes)) }

    /// The ident for 33 bytes that need not be a key; `nil` for any other count.
    init?(keyBytes: [UInt8]) {
        guard keyBytes.count == PublicKey.length else { return nil }
        self.init(hash: SHA256.hash(keyBytes))
    }

    private init(hash: [UInt8]) {
        let characters = Array(Base32.encode(hash.dropFirst(8)).prefix(20))
        let groups = stride(from: 0, to: characters.count, by: 5).map { String(characters[$0...].prefix(5)) }
        text = groups.joined(separator: "-")
        short = Hex.encode(hash.prefix(8))
    }

    /// The ident's text.
    public var description: String { text }
}
