import Glibc

/// A line of text that is typed at a question: a file's name, a number. It is shown, so it must never be a secret.
package enum TerminalEntry {
    /// Asks on the controlling terminal.
    /// - Returns: the line without the spaces around it; empty if nothing was typed, and at the end of input; `nil` without a
    ///   terminal.
    /// - Throws: `InputError.interrupted` on Ctrl-C, `.inputUnreadable`.
    package static func ask(_ question: String) throws(InputError) -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        Console.write(ScreenLine(question).shown(in: TerminalStyle(of: terminal)) + " ", to: terminal)
        try TerminalLine.waitForAnswer(on: terminal)
        let line = String(decoding: try TerminalLine.bytes(from: terminal), as: UTF8.self)
        let start = line.drop { $0.isWhitespace }
        return String(start.prefix(start.reversed().drop { $0.isWhitespace }.count))
    }
}
