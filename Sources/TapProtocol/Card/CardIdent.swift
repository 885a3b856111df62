import Bitcoin
import ByteCodec
import ExplainedErrors

/// A card's identifier: a hash of its public key, short enough for people to compare.
///
/// Spec: protocol, "Identities".
public struct CardIdent: Hashable, Sendable, CustomStringConvertible, ErrorSubjectValue {
    /// Four groups of five Base32 characters with dashes between them.
    public let text: String

    /// The ident of the card with this key.
    public init(of cardKey: PublicKey) { self.init(hash: SHA256.hash(cardKey.bytes)) }

    /// Parses an ident as people see it, `ABCDE-FGHIJ-KLMNO-PQRST`: upper case, with dashes; `nil` for anything else.
    public init?(parsing text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.length else { return nil }
        for (index, byte) in bytes.enumerated() {
            let isDash = (index + 1) % (Self.groupLength + 1) == 0
            guard isDash ? byte == UInt8(ascii: "-") : Self.isDigit(byte) else { return nil }
        }
        self.text = String(decoding: bytes, as: UTF8.self)
    }

    /// The ident for 33 bytes that need not be a valid key; `nil` for any other count.
    init?(keyBytes: [UInt8]) {
        guard keyBytes.count == PublicKey.length else { return nil }
        self.init(hash: SHA256.hash(keyBytes))
    }

    private init(hash: [UInt8]) {
        let characters = Array(Base32.encode(hash.dropFirst(Self.shortLength)).prefix(Self.groups * Self.groupLength))
        let groups = stride(from: 0, to: characters.count, by: Self.groupLength)
            .map { String(characters[$0...].prefix(Self.groupLength)) }
        text = groups.joined(separator: "-")
    }

    /// Another part of the same hash, which identifies a card in TAPSIGNER links (`c`): 16 lower-case hexadecimal
    /// digits.
    ///
    /// Spec: protocol, "Tap link".
    public static func short(of cardKey: PublicKey) -> String {
        Hex.encode(SHA256.hash(cardKey.bytes).prefix(shortLength))
    }

    private static let groups = 4
    private static let groupLength = 5
    /// Characters of an ident, including the dashes.
    private static let length = groups * (groupLength + 1) - 1
    /// Bytes of the hash in the short form.
    private static let shortLength = 8

    /// Whether a byte is a character of Base32.
    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte)
    }

    /// The ident's text.
    public var description: String { text }
}
