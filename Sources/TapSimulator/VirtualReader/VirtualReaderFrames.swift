/// The driver's messages: a two-byte big-endian length, and that many bytes.
///
/// Spec: vsmartcard, virtual smart card reader ("vpcd"), communication protocol.
struct VirtualReaderFrames {
    /// A message from the driver.
    enum Message: Equatable {
        case powerOff
        case powerOn
        case reset
        case answerToReset
        case apdu([UInt8])
        /// Nothing that a card answers: an empty message, or an unknown control byte.
        case meaningless
    }

    private var bytes: [UInt8] = []

    /// Takes bytes as they come from the socket.
    mutating func append(_ received: some Sequence<UInt8>) { bytes += received }

    /// The next complete message; `nil` until more bytes come.
    mutating func next() -> Message? {
        guard bytes.count >= 2 else { return nil }
        let end = 2 + (Int(bytes[0]) << 8 | Int(bytes[1]))
        guard bytes.count >= end else { return nil }
        let content = Array(bytes[2..<end])
        bytes.removeFirst(end)
        return Self.message(content)
    }

    /// A message as sent to the driver, to be written at once.
    static func encode(_ content: [UInt8]) -> [UInt8] {
        let content = content.prefix(0xFFFF)
        return [UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }

    private static func message(_ content: [UInt8]) -> Message {
        guard content.count == 1 else { return content.isEmpty ? .meaningless : .apdu(content) }
        switch content[0] {
        case 0: return .powerOff
        case 1: return .powerOn
        case 2: return .reset
        case 4: return .answerToReset
        default: return .meaningless
        }
    }
}
