import Bitcoin
import Glibc
import Synchronization

/// Standard input, line by line; bytes read ahead are kept for the next line.
package final class StandardInputLines: Sendable {
    private let reader: Mutex<Reader>

    /// - Parameter limit: the most bytes that are read in all.
    package init(limit: Int) { reader = Mutex(Reader(limit: limit)) }

    /// The next line without its line end; `nil` after the last one.
    /// - Throws: `InputError`: `.interrupted`, `.inputUnreadable`, `.inputTooLarge`.
    package func next() throws(InputError) -> [UInt8]? {
        try reader.withLock { (reader) throws(InputError) in try reader.next() }
    }

    deinit { reader.withLock { $0.ahead.wipe() } }
}

private struct Reader {
    private static let chunk = 1 << 16

    private let limit: Int
    var ahead: [UInt8] = []
    private var total = 0
    private var hasEnded = false

    init(limit: Int) { self.limit = limit }

    mutating func next() throws(InputError) -> [UInt8]? {
        var searched = 0
        while true {
            if let end = ahead[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                var line = Array(ahead[..<end])
                ahead.removeSubrange(...end)
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                return line
            }
            searched = ahead.count
            guard !hasEnded else { break }
            try read()
        }
        guard !ahead.isEmpty else { return nil }
        defer { ahead = [] }
        return ahead
    }

    private mutating func read() throws(InputError) {
        try TerminalLine.waitForInput(STDIN_FILENO)
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        defer { buffer.wipe() }
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        guard count >= 0 else {
            if errno == EINTR || errno == EAGAIN { return }
            throw .unreadable(stream: "Standard input")
        }
        hasEnded = count == 0
        total += count
        guard total <= limit else {
            throw .tooLarge("Standard input is larger than \(limit) bytes.")
        }
        ahead += buffer[..<count]
    }
}
