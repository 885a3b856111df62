import ByteCodec

/// A message of the host to a reader.
///
/// Spec: CCID 1.10, section 6.1.
struct CCIDCommand {
    /// The messages of the host.
    enum Kind: UInt8 {
        case setParameters = 0x61
        case powerOn = 0x62
        case powerOff = 0x63
        case getSlotStatus = 0x65
        case escape = 0x6B
        case getParameters = 0x6C
        case resetParameters = 0x6D
        case exchange = 0x6F
        case abort = 0x72
        case setRateAndClock = 0x73

        /// The reader's message that answers it.
        var reply: CCIDReply.Kind {
            switch self {
            case .powerOn, .exchange: .dataBlock
            case .powerOff, .getSlotStatus, .abort: .slotStatus
            case .setParameters, .getParameters, .resetParameters: .parameters
            case .escape: .escape
            case .setRateAndClock: .rateAndClock
            }
        }
    }

    static let headerLength = 10

    /// `nil` for a message that this reader does not know.
    let kind: Kind?
    let slot: UInt8
    /// The answer has the same.
    let sequence: UInt8
    /// Three bytes whose meaning depends on the message.
    let details: [UInt8]
    let data: [UInt8]

    /// The second and third detail byte as a number.
    var level: UInt16 { UInt16(details[1]) | UInt16(details[2]) << 8 }

    /// Parses a whole message.
    /// - Returns: `nil` for bytes that are too few for a header.
    init?(_ message: [UInt8]) {
        guard message.count >= Self.headerLength else { return nil }
        kind = Kind(rawValue: message[0])
        (slot, sequence, details) = (message[5], message[6], Array(message[7..<10]))
        data = Array(message.dropFirst(Self.headerLength))
    }

    /// The length of the data that a message announces; `nil` for bytes that are too few for a header.
    static func announcedLength(_ message: [UInt8]) -> Int? {
        guard message.count >= headerLength else { return nil }
        var reader = ByteReader(message[1..<5])
        return (try? reader.littleEndian(UInt32.self)).map { Int($0) }
    }
}
