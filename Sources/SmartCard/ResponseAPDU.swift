/// A card's response: data and a status word.
public struct ResponseAPDU: Sendable, Equatable {
    /// The response without its status word.
    public let data: [UInt8]
    /// The last two bytes of the response.
    public let status: StatusWord

    /// A response with this data and status word. It may have any length: `data` may have been fetched in several pieces.
    public init(data: [UInt8], status: StatusWord) {
        self.data = data
        self.status = status
    }

    /// Splits the bytes that came from a reader; `nil` if there are fewer than two, which is not a response.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else { return nil }
        data = Array(bytes.dropLast(2))
        status = StatusWord(rawValue: UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1]))
    }

    /// The bytes as they cross the wire: data, SW1, SW2.
    public var encoded: [UInt8] { data + [status.first, status.second] }
}
