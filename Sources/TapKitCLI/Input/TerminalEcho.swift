import Glibc
import Synchronization

/// Switches a terminal's echo off while a secret is typed, or might be typed ahead, and back on however that ends. Within one such
/// time there may be another.
enum TerminalEcho {
    private struct Saved: @unchecked Sendable {
        let descriptor: Int32
        let attributes: termios
        /// Whether each key is read at once, and not when its line is ended.
        let isByKey: Bool
        /// What puts the screen back in order.
        var ending = ""
        /// Whether nobody is asked at the moment, so that the process may be in the background.
        var isQuiet = false
    }

    /// The times without echo, the innermost last.
    private static let saved = Mutex<[Saved]>([])

    /// Runs `body` with echo off.
    /// - Parameters:
    ///   - isByKey: whether each key is read at once, and not when its line is ended.
    ///   - ending: what is written to the terminal when its echo is back, however that comes.
    static func withoutEcho<Result>(
        on descriptor: Int32, isByKey: Bool = false, ending: String = "", _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let isHidden = begin(on: descriptor) {
            Saved(descriptor: descriptor, attributes: $0, isByKey: isByKey, ending: ending)
        }
        defer { if isHidden { end() } }
        return try body()
    }

    /// Runs a task in which a secret may be typed before it is asked for, as long as the process is the one that the terminal listens
    /// to: what is typed meanwhile is not shown, and is gone when the task ends.
    ///
    /// Not where another program of a pipeline may use the terminal, too: each would take the other's settings for the person's.
    static func quietly<Result>(_ task: () async throws -> Result) async throws -> Result {
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

    /// Puts the terminal back as it was before all; does nothing when its echo was not switched off.
    static func restore() {
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
        // A shell puts the echo back on while the process is stopped (Ctrl-Z).
        SignalThread.take([SIGCONT]) { _ in hide() }
        return true
    }

    private static func end() { saved.withLock { saved in saved.popLast().map { put(back: $0) } } }

    private static func hide() {
        saved.withLock { saved in
            guard let before = saved.last else { return }
            // What goes on in the background would be stopped by that; a question shall be.
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

    /// Whether the terminal listens to this process, and not to another of its session.
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
