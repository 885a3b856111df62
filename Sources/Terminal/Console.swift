import Glibc
import Synchronization
import TextLayout

/// The process's standard streams: answers go to standard output, text for the user to standard error or output.
package struct Console: Sendable {
    /// Whether the answer is one JSON object, which moves text for the user to standard error.
    package let isJSON: Bool
    /// Whether progress is reported too, for programs if the answer is JSON.
    package var showsProgress = false

    /// The streams of a process that answers in JSON, or for the user; by default, nothing follows its progress.
    package init(isJSON: Bool, showsProgress: Bool = false) {
        (self.isJSON, self.showsProgress) = (isJSON, showsProgress)
    }

    /// Whether programs follow the progress: as one JSON object per line, on standard error.
    package var isFollowed: Bool { isJSON && showsProgress }

    /// Writes a line of the answer for the user: to standard output or, with JSON, to standard error. Line ends in it
    /// are made visible: text from outside cannot start a new line.
    package func say(_ line: String = "") { say(lines: [line]) }

    /// Writes lines of the answer for the user.
    package func say(lines: [String]) { Self.write(lines: lines, to: isJSON ? STDERR_FILENO : STDOUT_FILENO) }

    /// Writes a line that is never part of an answer (progress, warnings, prompts) to standard error. Line ends in it
    /// are made visible, as in `say`.
    package func note(_ line: String) { note(lines: [line]) }

    /// Writes lines that are never part of an answer.
    package func note(lines: [String]) { Self.write(lines: lines, to: STDERR_FILENO) }

    /// Writes a line for programs that follow the progress, to standard error.
    package func progress(_ line: String) { Self.write(line + "\n", to: STDERR_FILENO) }

    /// Whether standard error is a terminal on which progress may redraw its line; a `dumb` one does not understand that.
    package var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 && EnvironmentVariable.value("TERM") != "dumb" }

    /// The columns of the terminal on standard error; 80 if unknown.
    package var width: Int { TerminalRoom(of: STDERR_FILENO).columns ?? 80 }

    /// The columns of the terminal on standard output; `nil`: unlimited.
    package var tableWidth: Int? { TerminalRoom(of: STDOUT_FILENO).columns }

    /// Redraws the current line of the terminal on standard error; empty text clears it.
    package func redraw(_ line: String) {
        let style = TerminalStyle(of: STDERR_FILENO)
        let whole = style.written(TerminalText.neutralized(line))
        // The last column stays empty: some terminals begin a new line when it is written to.
        let visible = whole.count < width ? whole : style.written(Self.shortened(whole, to: width - 4) + "…")
        Self.write("\r\u{1B}[K" + visible, to: STDERR_FILENO)
    }

    /// As many whole words as there is room for; of a longer word, its beginning.
    static func shortened(_ line: String, to room: Int) -> String {
        let head = line.prefix(max(1, room))
        guard head.count < line.count, line[head.endIndex] != " ", let space = head.lastIndex(of: " ") else {
            return String(head)
        }
        return String(head[..<space])
    }

    /// Whether part of the answer could not be written to standard output.
    package static var hasLostOutput: Bool { outputError.load(ordering: .acquiring) != 0 }

    /// Whether the cause was that nobody reads standard output any more, as with `| head`.
    package static var hasNoReader: Bool { outputError.load(ordering: .acquiring) == EPIPE }

    /// The cause, in the system's words.
    package static var outputProblem: String { String(cString: strerror(outputError.load(ordering: .acquiring))) }

    /// The first error of standard output; 0: none.
    private static let outputError = Atomic<Int32>(0)

    /// Who writes to standard output.
    private enum Answerer {
        /// Nobody has written yet.
        static let none: UInt8 = 0
        /// The verb has begun.
        static let verb: UInt8 = 1
        /// The process is being ended by force: the verb is not heard any more.
        static let lastWord: UInt8 = 2
    }

    private static let answerer = Atomic<UInt8>(Answerer.none)

    /// Whether something was written to standard output, so that one more JSON object would spoil it.
    package static var hasAnswered: Bool { answerer.load(ordering: .acquiring) == Answerer.verb }

    /// Whether the verb may write to standard output.
    private static func mayAnswer() -> Bool {
        answerer.compareExchange(
            expected: Answerer.none, desired: Answerer.verb, ordering: .acquiringAndReleasing
        ).original != Answerer.lastWord
    }

    /// Writes the answer of a process that is ended by force, unless the verb has begun its own: then a second one would
    /// spoil it. Afterwards the verb cannot write any more.
    /// - Parameter text: at most 4096 bytes, which a pipe takes at once.
    /// - Returns: whether all of it was written.
    package static func writeLastAnswer(_ text: String) -> Bool {
        guard
            answerer.compareExchange(
                expected: Answerer.none, desired: Answerer.lastWord, ordering: .acquiringAndReleasing
            ).exchanged
        else { return false }
        return writeWithoutWaiting(text, to: STDOUT_FILENO)
    }

    /// Writes a short text, unless the stream's reader is so slow that it would have to be waited for.
    /// - Parameter text: at most 4096 bytes, which a pipe takes at once.
    /// - Returns: whether all of it was written.
    private static func writeWithoutWaiting(_ text: String, to descriptor: Int32) -> Bool {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, 0) == 1, room.revents & Int16(POLLOUT) != 0 else { return false }
        let bytes = Array(text.utf8)
        return Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    }

    /// Writes lines that are never part of an answer, unless standard error's reader is so slow that it would have to
    /// be waited for.
    /// - Parameter screen: at most 4096 bytes in all.
    package static func noteWithoutWaiting(screen: [ScreenLine]) {
        let style = TerminalStyle(of: STDERR_FILENO)
        _ = writeWithoutWaiting(screen.map { $0.shown(in: style) + "\n" }.joined(), to: STDERR_FILENO)
    }

    /// Writes lines for the user, broken to the terminal's width.
    package static func write(lines: [String], to descriptor: Int32) {
        let style = TerminalStyle(of: descriptor)
        write(lines.map { ScreenLine($0).shown(in: style) + "\n" }.joined(), to: descriptor)
    }

    /// Writes all bytes of a text unchanged.
    package static func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8), to: descriptor) }

    /// Writes all bytes. A failure on standard output is remembered, so that the process does not end as if it had
    /// answered; on other streams it does not matter.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) {
        guard descriptor != STDOUT_FILENO || mayAnswer() else { return }
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
