/// A CBOR message as texts of QR codes, in QR's alphanumeric set: one text, or parts without end.
///
/// Spec: BCR-2020-005; the types, BCR-2020-006.
public struct UniformResource: Sendable {
    /// What a message is.
    public enum Kind: String, Sendable {
        /// A PSBT, as a CBOR byte string: the type that wallets of every age read.
        case psbt = "crypto-psbt"
        /// Bytes of any sort, as a CBOR byte string.
        case bytes
    }

    /// The whole message in one text: `UR:TYPE/…`.
    public var text: String { "UR:\(kind.rawValue)/\(Bytewords.minimal(message))".uppercased() }
    /// How many parts there are that are no mixtures: these are enough, if none is lost.
    public var count: Int { encoder.count }

    private let kind: Kind
    private let message: [UInt8]
    private let encoder: FountainEncoder

    /// - Parameters:
    ///   - content: what the message holds as a byte string.
    ///   - maximumLength: the most characters of a part, 100 or more.
    ///   - sha256: the hash that the mixtures are drawn with.
    public init(
        _ content: [UInt8], kind: Kind, maximumLength: Int, sha256: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        self.kind = kind
        message = CBOREncoder.encode(.bytes(content))
        let room = (max(0, maximumLength) - "ur:\(kind.rawValue)/65535-65535/".count) / 2
        encoder = FountainEncoder(message, maximumLength: room - Self.partOverhead, sha256: sha256)
    }

    /// The bytes of a part that are no data: the array's head, four numbers, the data's head, and the part's own CRC-32.
    private static let partOverhead = 1 + 3 + 3 + 5 + 5 + 3 + 4

    /// A part: `UR:TYPE/NUMBER-COUNT/…`.
    /// - Parameter number: counted from 1; those behind `count` are mixtures.
    public func part(_ number: UInt32) -> String {
        "UR:\(kind.rawValue)/\(number)-\(count)/\(Bytewords.minimal(encoder.part(number)))".uppercased()
    }
}
