import Glibc
import Pinentry
import TapManager

/// Yes-or-no questions on the controlling terminal.
enum Confirmation {
    /// Asks, unless `--yes` was given; anything but `y` or `yes` means no. First the user types the code of each
    /// finding that can lose money, so that nobody accepts it out of habit.
    /// - Parameters:
    ///   - word: the word to type to continue; `nil`: the answer is yes or no.
    ///   - findings: what was found and shown before. `--yes` does not accept those that can lose money: `--accept`
    ///     does, by their codes.
    ///   - untouched: what a no leaves undone, as a sentence.
    /// - Throws: `Failure`: `.notAccepted` with `--yes`; `.confirmationNeeded` without a terminal, `.declined` on a no,
    ///   `.interrupted` on Ctrl-C.
    static func require(
        _ question: String, typing word: String? = nil, findings: [Finding] = [], _ acceptance: Acceptance,
        untouched: String
    ) throws(Failure) {
        let open = acceptance.open(findings)
        guard !acceptance.isConfirmed else {
            guard open.isEmpty else { throw Failure(notAccepted: open) }
            return
        }
        switch try ask(question, typing: word, after: open) {
        case true?: return
        case false?: throw Failure(.declined, "Cancelled. \(untouched)")
        case nil: throw Failure(.confirmationNeeded, "\(question) There is no terminal to answer on.")
        }
    }

    /// Asks the user of a wallet with windows: by pinentry, or on the terminal that the wallet was started from.
    /// - Parameters:
    ///   - reasons: the warnings, one per line; those that do not fit into a pinentry's line are only counted.
    ///   - losses: the findings that can lose money.
    /// - Throws: `Failure.declined` on a no; if nobody can be asked, the same, or `.notAccepted` if there are `losses`.
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

    /// As many reasons as fit into one Assuan line together with the question. If Assuan cut the line, the question
    /// would be lost, and reasons without a trace.
    static func description(_ question: String, _ reasons: [String]) -> String {
        // Percent signs and line ends are three bytes there.
        func length(_ line: String) -> Int { line.utf8.reduce(3) { $0 + ($1 == UInt8(ascii: "%") ? 3 : 1) } }
        let room = Pinentry.Question.maximumLength - roomForRemark - length(question)
        var (lines, used) = ([String](), 0)
        for (index, reason) in reasons.enumerated() {
            used += length(reason)
            guard used <= room else {
                let more = reasons.count - index
                lines.append("… and \(more.counted("more warning")): see standard error, or say no.")
                break
            }
            lines.append(reason)
        }
        return (lines + [question]).joined(separator: "\n")
    }

    /// For the command's name, and the number of reasons that are not shown.
    private static let roomForRemark = 120

    /// Asks about something that is only offered: without a terminal it is declined.
    /// - Throws: `Failure.interrupted` on Ctrl-C.
    static func isGranted(_ question: String) throws(Failure) -> Bool { try ask(question) ?? false }

    /// - Parameters:
    ///   - word: the word to type to continue; `nil`: the answer is yes or no.
    ///   - losses: findings whose codes must be typed first.
    /// - Returns: `nil` without a terminal.
    private static func ask(
        _ question: String, typing word: String? = nil, after losses: [Finding] = []
    ) throws(Failure) -> Bool? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        for finding in losses {
            let code = finding.code.rawValue
            let prompt = "Money could be lost. To accept this, type \(code):"
            guard try TerminalAnswer.ask(prompt, on: terminal) == code else { return false }
        }
        if let word {
            return try TerminalAnswer.ask("\(question) Type \(word) to continue:", on: terminal) == word.lowercased()
        }
        let answer = try TerminalAnswer.ask("\(question) [y/N]", on: terminal)
        return answer == "y" || answer == "yes"
    }
}
