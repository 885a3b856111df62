import Glibc

/// Yes-or-no questions on the controlling terminal.
enum Confirmation {
    /// Asks, unless `isGiven` (`--yes`); anything but `y` or `yes` is a no.
    /// - Throws: `Failure.confirmationNeeded` without a terminal, `.declined` on a no, `.interrupted` on Ctrl-C.
    static func require(_ question: String, isGiven: Bool) throws(Failure) {
        if isGiven { return }
        switch try ask(question) {
        case true?: return
        case false?: throw Failure(.declined, "Not confirmed; nothing was done.")
        case nil: throw Failure(.confirmationNeeded, "\(question) There is no terminal to answer on.")
        }
    }

    /// Asks somebody who looks at a wallet's window: by pinentry, or on the terminal that the wallet was started from.
    /// - Parameter reasons: what speaks against it, one a line.
    /// - Throws: `Failure.declined` on a no, and when nobody can be asked.
    static func requireInWindow(_ question: String, reasons: [String]) throws(Failure) {
        if let program = PinentryProgram() {
            let text = Pinentry.Question(description: (reasons + [question]).joined(separator: "\n"), prompt: "")
            do throws(PinentryError) { return try Pinentry(program).confirm(text) } catch {
                if error == .interrupted { throw .interrupted }
                guard TerminalLine.isOurs, error != .cancelled else {
                    throw Failure(.declined, "Not confirmed; nothing was signed.")
                }
            }
        }
        guard TerminalLine.isOurs, try ask(question) == true else {
            throw Failure(.declined, "Not confirmed; nothing was signed.")
        }
    }

    /// Asks about something that is only offered: without a terminal nobody wants it.
    /// - Throws: `Failure.interrupted` on Ctrl-C.
    static func isGranted(_ question: String) throws(Failure) -> Bool { try ask(question) ?? false }

    /// - Returns: `nil` without a terminal.
    private static func ask(_ question: String) throws(Failure) -> Bool? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        // What was typed or pasted before the question was shown answers something else.
        tcflush(terminal, TCIFLUSH)
        Console.write(question + " [y/N] ", to: terminal)
        let answer = try TerminalLine.read(terminal).lowercased()
        return answer == "y" || answer == "yes"
    }
}
