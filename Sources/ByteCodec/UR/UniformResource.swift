/// A CBOR message as texts of QR codes, in QR's alphanumeric set: one text, or endless parts.
///
/// Spec: BCR-2020-005; the types, BCR-2020-006.
public struct UniformResource: Sendable {
    /// What a message is.
    public enum Kind: String, Sendable {
        /// A PSBT, as a CBOR byte string: the type that old and new wallets read.
        case psbt = "crypto-psbt"
        /// Any bytes, as a CBOR byte string.
        case bytes
    }

    /// The whole message in one text: `UR:TYPE/…`.
    public var text: String { "UR:\(kind.rawValue)/\(Bytewords.minimal(message))".uppercased() }
    /// How many parts are plain fragments: enough if none is lost.
    public var count: Int { encoder.count }

    private let kind: Kind
    private let message: [UInt8]
    private let encoder: FountainEncoder

    /// - Parameters:
    ///   - content: what the message holds as a byte string.
    ///   - maximumLength: the most characters in a part, at least 100.
    ///   - sha256: the hash that seeds the choice of mixtures.
    public init(
        _ content: [UInt8], kind: Kind, maximumLength: Int, sha256: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        self.kind = kind
        message = CBOREncoder.encode(.bytes(content))
        let room = (max(0, maximumLength) - "ur:\(kind.rawValue)/65535-65535/".count) / 2
        encoder = FountainEncoder(message, maximumLength: room - Self.partOverhead, sha256: sha256)
    }

    /// The bytes of a part that are not data: the array's head, four numbers, the data's head, and the part's own CRC-32.
    private static let partOverhead = 1 + 3 + 3 + 5 + 5 + 3 + 4

    /// A part: `UR:TYPE/NUMBER-COUNT/…`.
    /// - Parameter number: counted from 1; those after `count` are mixtures.
    public func part(_ number: UInt32) -> String {
        "UR:\(kind.rawValue)/\(number)-\(count)/\(Bytewords.minimal(encoder.part(number)))".uppercased()
    }
}
