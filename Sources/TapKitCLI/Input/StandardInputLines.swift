import Bitcoin
import Glibc
import Synchronization

/// Standard input, line by line; bytes read ahead are kept for the next line.
final class StandardInputLines: Sendable {
    private let reader = Mutex(Reader())

    /// The next line without its line end; `nil` after the last one.
    /// - Throws: `Failure`: `.interrupted`, `.inputUnreadable`, `.inputTooLarge`.
    func next() throws(Failure) -> [UInt8]? {
        try reader.withLock { (reader) throws(Failure) in try reader.next() }
    }

    deinit { reader.withLock { $0.ahead.wipe() } }
}

private struct Reader {
    /// The most that is read in all: the largest PSBT, and a little more.
    private static let limit = PSBT.maximumFileSize + (1 << 16)
    private static let chunk = 1 << 16

    var ahead: [UInt8] = []
    private var total = 0
    private var hasEnded = false

    mutating func next() throws(Failure) -> [UInt8]? {
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

    private mutating func read() throws(Failure) {
        try TerminalLine.waitForInput(STDIN_FILENO)
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        defer { buffer.wipe() }
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        guard count >= 0 else {
            if errno == EINTR || errno == EAGAIN { return }
            throw Failure(.inputUnreadable, "Standard input cannot be read: \(String(cString: strerror(errno)))")
        }
        hasEnded = count == 0
        total += count
        guard total <= Self.limit else {
            throw Failure(.inputTooLarge, "Standard input is larger than \(Self.limit) bytes.")
        }
        ahead += buffer[..<count]
    }
}
