import Glibc
import Synchronization

/// Switches a terminal's echo off while a secret is typed, and back on however the typing ends.
enum TerminalEcho {
    private struct Saved: @unchecked Sendable {
        let descriptor: Int32
        let attributes: termios
        /// Whether each key is read at once, and not when its line is ended.
        let isByKey: Bool
        /// What puts the screen back in order.
        let ending: String
    }

    private static let saved = Mutex<Saved?>(nil)

    /// Runs `body` with echo off.
    /// - Parameters:
    ///   - isByKey: whether each key is read at once, and not when its line is ended.
    ///   - ending: what is written to the terminal when its echo is back, however that comes.
    static func withoutEcho<Result>(
        on descriptor: Int32, isByKey: Bool = false, ending: String = "", _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var attributes = termios()
        if tcgetattr(descriptor, &attributes) == 0 {
            let before = Saved(descriptor: descriptor, attributes: attributes, isByKey: isByKey, ending: ending)
            saved.withLock { $0 = before }
            hide()
            // A shell puts the echo back on while the process is stopped (Ctrl-Z).
            SignalThread.take([SIGCONT]) { _ in hide() }
        }
        defer { restore() }
        return try body()
    }

    private static func hide() {
        saved.withLock { saved in
            guard let before = saved else { return }
            var attributes = before.attributes
            attributes.c_lflag &= ~tcflag_t(ECHO)
            attributes.c_lflag |= tcflag_t(ECHONL)
            if before.isByKey { attributes.c_lflag &= ~tcflag_t(ICANON) }
            tcsetattr(before.descriptor, TCSAFLUSH, &attributes)
        }
    }

    /// Puts the terminal back as it was; does nothing when its echo was not switched off.
    static func restore() {
        saved.withLock { saved in
            guard let before = saved else { return }
            var attributes = before.attributes
            tcsetattr(before.descriptor, TCSAFLUSH, &attributes)
            if !before.ending.isEmpty { Console.write(before.ending, to: before.descriptor) }
            saved = nil
        }
    }
}
