/// The frames between host and chip on the serial line: parses the host's, and builds the chip's.
///
/// `00 00 FF`, length, its checksum, the data, their checksum, `00`. Anything may surround the frames: preambles,
/// wake-up bytes, noise. A frame with a wrong checksum is ignored, and the search continues right after its start code,
/// so that a bad frame never hides a good one.
///
/// Spec: UM0701-02, section 6.2.1 (host controller communication protocol, frame structures).
struct PN532Frames {
    /// What the host sends.
    enum Message: Equatable {
        /// Ends what the chip is doing.
        case acknowledge
        /// Asks for the last response once more.
        case negativeAcknowledge
        /// The command's code and parameters; never empty.
        case command([UInt8])
        /// A valid frame that is not a command: an error frame, the chip's own direction, or no command code.
        case foreign
    }

    static let acknowledge: [UInt8] = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
    static let negativeAcknowledge: [UInt8] = [0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00]
    /// The chip's answer to anything invalid.
    static let error: [UInt8] = [0x00, 0x00, 0xFF, 0x01, 0xFF, 0x7F, 0x81, 0x00]

    /// The most data bytes in a frame, including direction and command code.
    static let longestData = 265
    /// The most data bytes in a frame with a one-byte length.
    private static let longestNormalData = 255
    private static let fromHost: UInt8 = 0xD4
    private static let fromChip: UInt8 = 0xD5

    private var bytes: [UInt8] = []

    /// Takes bytes as they come from the line.
    mutating func append(_ received: some Sequence<UInt8>) { bytes += received }

    /// Whether a frame has begun but is incomplete.
    var isPartial: Bool { bytes.count > 1 }

    /// The next complete message; `nil` until more bytes come.
    mutating func next() -> Message? {
        switch nextContent() {
        case .message(let message): return message
        case .data(let data):
            return data.count > 1 && data[0] == Self.fromHost ? .command(Array(data.dropFirst())) : .foreign
        case nil: return nil
        }
    }

    /// The data of one whole frame in either direction, beginning with the direction's byte; `nil` if it has none, or a
    /// wrong checksum.
    static func data(of frame: [UInt8]) -> [UInt8]? {
        var frames = Self()
        frames.append(frame)
        guard case .data(let data) = frames.nextContent() else { return nil }
        return data
    }

    private enum Content {
        case message(Message)
        case data([UInt8])
    }

    private mutating func nextContent() -> Content? {
        while findStartCode() {
            switch head() {
            case .incomplete: return nil
            case .wrong: bytes.removeFirst(2)
            case .message(let message):
                bytes.removeFirst(4)
                return .message(message)
            case .data(let range):
                guard bytes.count > range.upperBound else { return nil }
                guard bytes[range.lowerBound...range.upperBound].reduce(0, &+) == 0 else {
                    bytes.removeFirst(2)
                    continue
                }
                let data = Array(bytes[range])
                bytes.removeFirst(range.upperBound + 1)
                return .data(data)
            }
        }
        return nil
    }

    /// Drops the frame that has begun: the search continues after its start code.
    mutating func giveUp() { bytes.removeFirst(min(2, bytes.count)) }

    /// Forgets everything.
    mutating func removeAll() { bytes = [] }

    /// A response of the chip, as sent on the line.
    /// - Parameters:
    ///   - code: the response's code, one more than the command's.
    ///   - data: up to 263 bytes.
    static func response(_ code: UInt8, _ data: [UInt8]) -> [UInt8] { frame([fromChip, code] + data) }

    /// A command of the host, as sent on the line.
    static func command(_ data: [UInt8]) -> [UInt8] { frame([fromHost] + data) }

    private static func frame(_ data: [UInt8]) -> [UInt8] {
        let (high, low) = (UInt8(truncatingIfNeeded: data.count >> 8), UInt8(truncatingIfNeeded: data.count))
        let length =
            data.count <= longestNormalData
            ? [low, 0 &- low] : [0xFF, 0xFF, high, low, 0 &- (high &+ low)]
        return [0x00, 0x00, 0xFF] + length + data + [0 &- data.reduce(0, &+), 0x00]
    }

    private enum Head {
        case incomplete
        case wrong
        case message(Message)
        /// Where the data is; its checksum follows.
        case data(Range<Int>)
    }

    /// Drops everything before the next start code.
    /// - Returns: whether there is one.
    private mutating func findStartCode() -> Bool {
        var start = 0
        while start + 1 < bytes.count, bytes[start] != 0x00 || bytes[start + 1] != 0xFF { start += 1 }
        // A final zero may be half of a start code.
        if start + 1 == bytes.count, bytes[start] != 0x00 { start += 1 }
        bytes.removeFirst(start)
        return bytes.count > 1
    }

    /// Parses what follows the start code.
    private func head() -> Head {
        guard bytes.count >= 4 else { return .incomplete }
        switch (bytes[2], bytes[3]) {
        case (0x00, 0xFF): return .message(.acknowledge)
        case (0xFF, 0x00): return .message(.negativeAcknowledge)
        case (0xFF, 0xFF):
            guard bytes.count >= 7 else { return .incomplete }
            let count = Int(bytes[4]) << 8 | Int(bytes[5])
            guard bytes[4] &+ bytes[5] &+ bytes[6] == 0, (1...Self.longestData).contains(count) else { return .wrong }
            return .data(7..<(7 + count))
        case (let count, let checksum):
            guard count &+ checksum == 0, count > 0 else { return .wrong }
            return .data(4..<(4 + Int(count)))
        }
    }
}
