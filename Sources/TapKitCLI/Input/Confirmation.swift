import Glibc
import Pinentry
import TapManager

/// Yes-or-no questions on the controlling terminal.
enum Confirmation {
    /// Asks, unless `--yes` was given; anything but `y` or `yes` is a no. First the person types the code of each finding that can
    /// lose money, so that nobody accepts it by habit.
    /// - Parameters:
    ///   - findings: what was found and shown before. Of those that can lose money `--yes` answers none: `--accept` does, by
    ///     their codes.
    ///   - untouched: what a no leaves undone, a sentence.
    /// - Throws: `Failure`: `.notAccepted` with `--yes`; `.confirmationNeeded` without a terminal, `.declined` on a no,
    ///   `.interrupted` on Ctrl-C.
    static func require(
        _ question: String, findings: [Finding] = [], _ acceptance: Acceptance, untouched: String
    ) throws(Failure) {
        let open = acceptance.open(findings)
        guard !acceptance.isConfirmed else {
            guard open.isEmpty else { throw Failure(notAccepted: open) }
            return
        }
        switch try ask(question, after: open) {
        case true?: return
        case false?: throw Failure(.declined, "Cancelled. \(untouched)")
        case nil: throw Failure(.confirmationNeeded, "\(question) There is no terminal to answer on.")
        }
    }

    /// Asks somebody who looks at a wallet's window: by pinentry, or on the terminal that the wallet was started from.
    /// - Parameters:
    ///   - reasons: what speaks against it, one a line; what a pinentry's line has no room for is counted.
    ///   - losses: those of the findings that can lose money.
    /// - Throws: `Failure.declined` on a no; when nobody can be asked, that, or `.notAccepted` with `losses`.
    static func requireInWindow(_ question: String, reasons: [String], losses: [Finding]) throws(Failure) {
        let unanswered =
            losses.isEmpty ? nothingSigned : Failure(unanswered: losses)
        if let pinentry = Pinentry.here {
            let text = Pinentry.Question(description: Self.description(question, reasons), prompt: "")
            do throws(PinentryError) { return try pinentry.confirm(text) } catch {
                if error == .interrupted { throw .interrupted }
                if error == .cancelled { throw nothingSigned }
                guard TerminalLine.isOurs else { throw unanswered }
            }
        }
        guard TerminalLine.isOurs else { throw unanswered }
        guard try ask(question, after: losses) == true else { throw nothingSigned }
    }

    private static let nothingSigned = Failure(.declined, "Cancelled. \(QuestionText.nothingSigned)")

    /// As many of the reasons as one line of Assuan's takes beside the question: cut off at its end, it would lose the
    /// question, and reasons without a trace.
    static func description(_ question: String, _ reasons: [String]) -> String {
        // Percent signs and line ends are three bytes there.
        func length(_ line: String) -> Int { line.utf8.reduce(3) { $0 + ($1 == UInt8(ascii: "%") ? 3 : 1) } }
        let room = Pinentry.Question.maximumLength - roomForRemark - length(question)
        var (lines, used) = ([String](), 0)
        for (index, reason) in reasons.enumerated() {
            used += length(reason)
            guard used <= room else {
                let more = reasons.count - index
                lines.append("… and \(more) more that speak against it: see standard error, or say no.")
                break
            }
            lines.append(reason)
        }
        return (lines + [question]).joined(separator: "\n")
    }

    /// For the command's name, and for how many reasons there are beside those that are shown.
    private static let roomForRemark = 120

    /// Asks about something that is only offered: without a terminal nobody wants it.
    /// - Throws: `Failure.interrupted` on Ctrl-C.
    static func isGranted(_ question: String) throws(Failure) -> Bool { try ask(question) ?? false }

    /// - Parameter losses: findings whose code is to be typed first.
    /// - Returns: `nil` without a terminal.
    private static func ask(_ question: String, after losses: [Finding] = []) throws(Failure) -> Bool? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        for finding in losses {
            let word = finding.code.rawValue
            let prompt = "Money could be lost here. To accept it, type \(word):"
            guard try TerminalAnswer.ask(prompt, on: terminal) == word else { return false }
        }
        let answer = try TerminalAnswer.ask("\(question) [y/N]", on: terminal)
        return answer == "y" || answer == "yes"
    }
}
