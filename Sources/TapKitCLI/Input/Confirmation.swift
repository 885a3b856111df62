import Glibc
import Pinentry
import TapManager
import Terminal

/// Yes-or-no questions on the controlling terminal.
enum Confirmation {
    /// Asks, unless `--yes` was given; anything but `y` or `yes` means no. First the user types the code of each
    /// finding that can lose money, so that nobody accepts it out of habit. A word that was mistyped is asked for again.
    /// - Parameters:
    ///   - word: the word to type to continue; `nil`: the answer is yes or no.
    ///   - losses: the findings that can lose money, shown before, and that `--accept` did not accept by their codes.
    ///     `--yes` does not accept them.
    ///   - isConfirmed: whether `--yes` was given.
    ///   - needsYes: whether it is asked without `losses` as well, so that a script needs `--yes` beside their codes.
    ///   - untouched: what a no leaves undone, as a sentence.
    /// - Throws: `Failure`: `.notAccepted` with `--yes` or without a terminal, if there are `losses`;
    ///   `.confirmationNeeded` without a terminal otherwise; `.declined` on a no, `.interrupted` on Ctrl-C, with what
    ///   that leaves undone.
    static func require(
        _ question: String, typing word: String? = nil, losses: UnacceptedFindings, isConfirmed: Bool,
        needsYes: Bool, untouched: String
    ) throws(Failure) {
        guard !isConfirmed else {
            guard losses.isEmpty else { throw Failure(notAccepted: losses, needsYes: false) }
            return
        }
        switch try answer(question, typing: word, after: losses, untouched: untouched) {
        case true?: return
        case false?: throw Failure.declined(leaving: untouched)
        case nil:
            guard losses.isEmpty else { throw Failure(notAccepted: losses, needsYes: needsYes) }
            throw Failure(.confirmationNeeded, "\(question) There is no terminal to answer on.")
        }
    }

    /// Asks the user of a wallet with windows: by pinentry, or on the terminal that the wallet was started from. One
    /// window follows the other, so that all reasons are seen; the last one has the question. The terminal shows
    /// everything at once, however much it is.
    /// - Parameters:
    ///   - reasons: what is asked about, line by line.
    ///   - losses: the findings that can lose money.
    ///   - untouched: what a no leaves undone, as a sentence.
    ///   - interruption: becomes readable when nobody wants the answer any more; `nil`: on Ctrl-C only.
    /// - Throws: `Failure`: `.declined` on a no; if nobody can be asked, the same, or `.notAccepted` if there are
    ///   `losses`; `.confirmationNeeded` if it is too much for windows, and there is no terminal; `.interrupted`.
    static func requireInWindows(
        _ question: String, reasons: [String], losses: UnacceptedFindings = .none, untouched: String,
        endedBy interruption: Int32? = nil
    ) throws(Failure) {
        let declined = Failure.declined(leaving: untouched)
        let unanswered = losses.isEmpty ? declined : Failure(unanswered: losses)
        if let pinentry = interruption.map({ Pinentry.here(endedBy: $0) }) ?? Pinentry.here {
            let windows = windows(question, reasons: reasons)
            guard windows != nil || TerminalLine.isOurs else { throw tooMuch(for: question) }
            do throws(PinentryError) {
                for text in windows ?? [(heading([question]) + [question, elsewhere]).joined(separator: "\n")] {
                    try pinentry.confirm(Pinentry.Question(description: text, prompt: ""))
                }
                if windows != nil { return }
            } catch {
                if error == .interrupted { throw .interrupted(leaving: untouched) }
                if error == .cancelled { throw declined }
                // Nobody is there: nobody is at the terminal either.
                if error == .timedOut { throw unanswered }
            }
        }
        guard TerminalLine.isOurs else { throw unanswered }
        // Who reads standard error somewhere else sees here what is asked about.
        let shown = isatty(STDERR_FILENO) == 0 ? reasons : []
        guard try answer(question, after: losses, untouched: untouched, showing: shown) == true else { throw declined }
    }

    /// The most windows that one question takes.
    private static let mostWindows = 8

    /// What the windows say, one after the other; the last one has the question.
    /// - Returns: `nil` if it is too much for windows: a yes to a text that was cut is none.
    static func windows(_ question: String, reasons: [String]) -> [String]? {
        guard let parts = parts(reasons, beside: question), parts.count <= mostWindows else { return nil }
        return parts.enumerated().map { index, part in
            let isLast = index == parts.count - 1
            return (heading(part) + part + [isLast ? question : "Page \(index + 1) of \(parts.count). Continue?"])
                .joined(separator: "\n")
        }
    }

    /// A line above others whose first one could be taken for HTML. pinentry-qt before 1.2.1 then shows none of what is in
    /// tags and comments: a name that somebody else chose could hide what is asked about.
    private static func heading(_ lines: [String]) -> [String] {
        lines.first?.utf8.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") } == true ? ["tapkit:"] : []
    }

    /// What a window says about a question that the terminal shows.
    private static let elsewhere = "This is too much to show in a window. Read it on the terminal, and answer there."

    private static func tooMuch(for question: String) -> Failure {
        Failure(
            .confirmationNeeded, "\(question) There is too much to show in a window.",
            hint: "Do it on a terminal: tapkit sign signs a PSBT.")
    }

    /// The reasons, in parts that each fit into one Assuan line together with the question. If Assuan cut the line, the
    /// question would be lost, and reasons without a trace.
    /// - Returns: at least one part; `nil` if a reason is too long for any.
    static func parts(_ reasons: [String], beside question: String) -> [[String]]? {
        let room = room(beside: question)
        var (parts, used) = ([[String]()], 0)
        for reason in reasons {
            guard length(reason) <= room else { return nil }
            used += length(reason)
            if used > room {
                parts.append([])
                used = length(reason)
            }
            parts[parts.count - 1].append(reason)
        }
        return parts
    }

    private static func room(beside question: String) -> Int {
        Pinentry.Question.maximumLength - roomForRemark - length(question)
    }

    /// Percent signs and line ends are three bytes in an Assuan line.
    private static func length(_ line: String) -> Int {
        line.utf8.reduce(3) { $0 + ($1 == UInt8(ascii: "%") ? 3 : 1) }
    }

    /// For a heading, a page's number, or the command's name.
    private static let roomForRemark = 120

    /// Asks about something that is only offered: without a terminal it is declined.
    /// - Throws: `Failure.interrupted` on Ctrl-C, with what that leaves undone.
    static func isGranted(_ question: String, untouched: String) throws(Failure) -> Bool {
        try answer(question, untouched: untouched) ?? false
    }

    /// - Parameters:
    ///   - word: the word to type to continue; `nil`: the answer is yes or no.
    ///   - losses: findings whose codes must be typed first.
    ///   - untouched: what Ctrl-C leaves undone.
    ///   - reasons: what is shown on the terminal first.
    /// - Returns: `nil` without a terminal.
    private static func answer(
        _ question: String, typing word: String? = nil, after losses: UnacceptedFindings = .none, untouched: String,
        showing reasons: [String] = []
    ) throws(Failure) -> Bool? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        if !reasons.isEmpty { Console.write(lines: reasons, to: terminal) }
        do throws(InputError) {
            for (code, count) in losses.codes {
                let subject = count == 1 ? "this" : "all \(count) findings of this kind"
                let prompt = "Money could be lost. To accept \(subject), type \(code.rawValue):"
                guard try isTyped(code.rawValue, at: prompt, on: terminal) else { return false }
            }
            if let word {
                return try isTyped(word, at: "\(question) Type \(word) to continue:", on: terminal)
            }
            let answer = try TerminalAnswer.ask("\(question) [y/N]", on: terminal)
            return answer == "y" || answer == "yes"
        } catch { throw error == .interrupted ? .interrupted(leaving: untouched) : Failure(error) }
    }

    /// How often a word is asked for.
    private static let attempts = 3

    /// Whether the user types a word. Anything else may be a typing mistake, and is asked for again; only an empty
    /// answer or a no cancels at once.
    private static func isTyped(_ word: String, at prompt: String, on terminal: Int32) throws(InputError) -> Bool {
        var prompt = prompt
        for _ in 0..<attempts {
            switch try TerminalAnswer.ask(prompt, on: terminal) {
            case word.lowercased(): return true
            case "", "n", "no": return false
            default: prompt = "That is not the word. Type \(word), or no to cancel:"
            }
        }
        return false
    }
}
