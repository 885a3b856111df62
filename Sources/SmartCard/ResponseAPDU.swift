/// A card's answer: data and a status word.
public struct ResponseAPDU: Sendable, Equatable {
    /// The answer without its status word.
    public let data: [UInt8]
    /// The last two bytes of the answer.
    public let status: StatusWord

    /// An answer as a channel puts it together, of any length: `data` may come of several parts.
    public init(data: [UInt8], status: StatusWord) {
        self.data = data
        self.status = status
    }

    /// Splits the bytes that came from a reader; `nil` when there are fewer than two, which is no answer.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else { return nil }
        data = Array(bytes.dropLast(2))
        status = StatusWord(rawValue: UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1]))
    }

    /// The bytes as they cross the wire: data, SW1, SW2.
    public var encoded: [UInt8] { data + [status.first, status.second] }
}
