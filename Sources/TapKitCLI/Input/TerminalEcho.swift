import Glibc
import Synchronization

/// Switches a terminal's echo off while a secret is typed, and back on however the typing ends.
enum TerminalEcho {
    private struct Saved: @unchecked Sendable {
        let descriptor: Int32
        let attributes: termios
    }

    private static let saved = Mutex<Saved?>(nil)

    /// Runs `body` with echo off.
    static func withoutEcho<Result>(
        on descriptor: Int32, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var attributes = termios()
        if tcgetattr(descriptor, &attributes) == 0 {
            let before = Saved(descriptor: descriptor, attributes: attributes)
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
            tcsetattr(before.descriptor, TCSAFLUSH, &attributes)
        }
    }

    /// Puts the terminal back as it was; does nothing when its echo was not switched off.
    static func restore() {
        saved.withLock { saved in
            guard let before = saved else { return }
            var attributes = before.attributes
            tcsetattr(before.descriptor, TCSAFLUSH, &attributes)
            saved = nil
        }
    }
}
