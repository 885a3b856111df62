import Glibc
import Synchronization

/// The process's standard streams: answers go to standard output, people's text to standard error or output.
struct Console: Sendable {
    /// Whether the answer is one JSON object, which moves people's text to standard error.
    let isJSON: Bool
    /// Whether what happens meanwhile is told, too, for programs where the answer is JSON.
    var showsProgress = false

    /// Whether programs follow what happens: by a JSON object a line, on standard error.
    var isFollowed: Bool { isJSON && showsProgress }

    /// Writes a line of the answer for people: to standard output, or to standard error beside JSON. A line end in it is
    /// made visible: no text from outside begins a line of its own.
    func say(_ line: String = "") { say(lines: [line]) }

    /// Writes lines of the answer for people.
    func say(lines: [String]) { Self.write(lines: lines, to: isJSON ? STDERR_FILENO : STDOUT_FILENO) }

    /// Writes a line that is never part of an answer (progress, warnings, prompts): to standard error. A line end in it is
    /// made visible, as in `say`.
    func note(_ line: String) { note(lines: [line]) }

    /// Writes lines that are never part of an answer.
    func note(lines: [String]) { Self.write(lines: lines, to: STDERR_FILENO) }

    /// Writes a line for programs that follow what happens: to standard error.
    func progress(_ line: String) { Self.write(line + "\n", to: STDERR_FILENO) }

    /// Whether standard error is a terminal, so that progress may redraw its line.
    var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// How many columns the terminal behind standard error has; 80 when unknown.
    var width: Int { TerminalRoom(of: STDERR_FILENO).columns ?? 80 }

    /// How many columns the terminal behind standard output has; `nil`: nothing limits what is written there.
    var tableWidth: Int? { TerminalRoom(of: STDOUT_FILENO).columns }

    /// Redraws the current line of the terminal behind standard error; an empty text clears it.
    func redraw(_ line: String) {
        let visible = TerminalStyle(of: STDERR_FILENO).written(TerminalText.neutralized(line))
            .prefix(max(1, width - 1))
        Self.write("\r\u{1B}[K" + visible, to: STDERR_FILENO)
    }

    /// Whether a part of the answer could not be written to standard output.
    static var hasLostOutput: Bool { outputError.load(ordering: .acquiring) != 0 }

    /// Whether that was because nobody reads standard output any more, as at `| head`.
    static var hasNoReader: Bool { outputError.load(ordering: .acquiring) == EPIPE }

    /// Why not, in the system's words.
    static var outputProblem: String { String(cString: strerror(outputError.load(ordering: .acquiring))) }

    /// The first error of standard output; 0: none.
    private static let outputError = Atomic<Int32>(0)

    private static func write(lines: [String], to descriptor: Int32) {
        let style = TerminalStyle(of: descriptor)
        write(lines.map { style.written(TerminalText.neutralized($0)) + "\n" }.joined(), to: descriptor)
    }

    /// Writes all bytes of a text as they are.
    static func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8), to: descriptor) }

    /// Writes all bytes. What standard output does not take is remembered, so that the process does not end as if it
    /// had answered; elsewhere no answer depends on it.
    static func write(_ bytes: [UInt8], to descriptor: Int32) {
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let count = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
                if count >= 0 {
                    offset += count
                } else if errno == EAGAIN {
                    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&room, 1, -1)
                } else if errno != EINTR {
                    let problem = errno
                    guard descriptor == STDOUT_FILENO else { return }
                    _ = outputError.compareExchange(expected: 0, desired: problem, ordering: .acquiringAndReleasing)
                    return
                }
            }
        }
    }
}
