import Glibc
import Synchronization

/// Turns a terminal's echo off while a secret is typed, or might be typed early, and back on in any case. Calls may be
/// nested.
package enum TerminalEcho {
    private struct Saved: @unchecked Sendable {
        let descriptor: Int32
        let attributes: termios
        /// Whether each key is read at once, not only at the end of the line.
        let isByKey: Bool
        /// What restores the screen.
        var ending = ""
        /// Whether no question is open, so that the process may be in the background.
        var isQuiet = false
    }

    /// The nested states, the innermost last.
    private static let saved = Mutex<[Saved]>([])

    /// Runs `body` with echo off. If it throws, the line of its question is ended.
    /// - Parameters:
    ///   - isByKey: whether each key is read at once, not only at the end of the line.
    ///   - ending: what is written to the terminal when its echo is restored, in any case.
    package static func withoutEcho<Result, Problem: Error>(
        on descriptor: Int32, isByKey: Bool = false, ending: String = "", _ body: () throws(Problem) -> Result
    ) throws(Problem) -> Result {
        let isHidden = begin(on: descriptor) {
            Saved(descriptor: descriptor, attributes: $0, isByKey: isByKey, ending: ending)
        }
        defer { if isHidden { end() } }
        do throws(Problem) { return try body() } catch {
            // What is said about it does not belong on the line of the question.
            if ending.isEmpty { Console.write("\n", to: descriptor) }
            throw error
        }
    }

    /// Runs a task during which a secret may be typed before the prompt. While the process is in the terminal's
    /// foreground, input is not shown, and it is discarded when the task ends.
    ///
    /// Does nothing in a pipeline, where another program may use the terminal too: each would take the other's settings
    /// for the original ones.
    package static func quietly<Result>(_ task: () async throws -> Result) async throws -> Result {
        guard TerminalLine.isOurs, !isPipe(STDIN_FILENO), !isPipe(STDOUT_FILENO), !isPipe(STDERR_FILENO) else {
            return try await task()
        }
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return try await task() }
        defer { close(terminal) }
        let isHidden = begin(on: terminal) {
            Saved(descriptor: terminal, attributes: $0, isByKey: false, isQuiet: true)
        }
        defer { if isHidden { end() } }
        return try await task()
    }

    /// Restores the terminal's original state; does nothing if its echo was not turned off.
    package static func restore() {
        saved.withLock { saved in
            for before in saved.reversed() { put(back: before) }
            saved = []
        }
    }

    private static func begin(on descriptor: Int32, _ keep: (termios) -> Saved) -> Bool {
        var attributes = termios()
        guard tcgetattr(descriptor, &attributes) == 0 else { return false }
        let before = keep(attributes)
        saved.withLock { $0.append(before) }
        hide()
        // A shell turns the echo back on while the process is stopped (Ctrl-Z).
        SignalThread.take([SIGCONT]) { _ in hide() }
        return true
    }

    private static func end() { saved.withLock { saved in saved.popLast().map { put(back: $0) } } }

    private static func hide() {
        saved.withLock { saved in
            guard let before = saved.last else { return }
            // This stops a process in the background, which is right only for a question.
            guard !before.isQuiet || isListening(before.descriptor) else { return }
            var attributes = before.attributes
            attributes.c_lflag &= ~tcflag_t(ECHO)
            if !before.isQuiet { attributes.c_lflag |= tcflag_t(ECHONL) }
            if before.isByKey { attributes.c_lflag &= ~tcflag_t(ICANON) }
            tcsetattr(before.descriptor, TCSAFLUSH, &attributes)
        }
    }

    private static func put(back before: Saved) {
        var attributes = before.attributes
        if isListening(before.descriptor) { tcsetattr(before.descriptor, TCSAFLUSH, &attributes) }
        if !before.ending.isEmpty { Console.write(before.ending, to: before.descriptor) }
    }

    /// Whether this process is in the terminal's foreground.
    private static func isListening(_ terminal: Int32) -> Bool {
        let group = tcgetpgrp(terminal)
        return group < 0 || group == getpgrp()
    }

    private static func isPipe(_ descriptor: Int32) -> Bool {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { return true }
        return [S_IFIFO, S_IFSOCK].contains(information.st_mode & S_IFMT)
    }
}
