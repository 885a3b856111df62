import Glibc

/// Yes-or-no questions on the controlling terminal.
enum Confirmation {
    /// Asks, unless `isGiven` (`--yes`); anything but `y` or `yes` is a no.
    /// - Throws: `Failure.confirmationNeeded` without a terminal, `.declined` on a no, `.interrupted` on Ctrl-C.
    static func require(_ question: String, isGiven: Bool) throws(Failure) {
        if isGiven { return }
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else {
            throw Failure(.confirmationNeeded, "\(question) There is no terminal to answer on.")
        }
        defer { close(terminal) }
        // What was typed or pasted before the question was shown answers something else.
        tcflush(terminal, TCIFLUSH)
        Console.write(question + " [y/N] ", to: terminal)
        let answer = try TerminalLine.read(terminal).lowercased()
        guard answer == "y" || answer == "yes" else { throw Failure(.declined, "Not confirmed; nothing was done.") }
    }
}
