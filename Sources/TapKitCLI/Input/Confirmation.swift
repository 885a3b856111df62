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
    ///   - findings: what was found and shown before. `--yes` does not accept those that can lose money: `--accept`
    ///     does, by their codes.
    ///   - untouched: what a no leaves undone, as a sentence.
    /// - Throws: `Failure`: `.notAccepted` with `--yes`; `.confirmationNeeded` without a terminal, `.declined` on a no,
    ///   `.interrupted` on Ctrl-C, with what that leaves undone.
    static func require(
        _ question: String, typing word: String? = nil, findings: [Finding] = [], _ acceptance: Acceptance,
        untouched: String
    ) throws(Failure) {
        let open = acceptance.open(findings)
        guard !acceptance.isConfirmed else {
            guard open.isEmpty else { throw Failure(notAccepted: open) }
            return
        }
        switch try answer(question, typing: word, after: open, untouched: untouched) {
        case true?: return
        case false?: throw Failure.declined(leaving: untouched)
        case nil: throw Failure(.confirmationNeeded, "\(question) There is no terminal to answer on.")
        }
    }

    /// Asks the user of a wallet with windows: by pinentry, or on the terminal that the wallet was started from.
    /// - Parameters:
    ///   - reasons: the warnings, one per line; those that do not fit into a pinentry's line are only counted.
    ///   - losses: the findings that can lose money.
    ///   - untouched: what a no leaves undone, as a sentence.
    ///   - interruption: becomes readable when nobody wants the answer any more; `nil`: on Ctrl-C only.
    /// - Throws: `Failure.declined` on a no; if nobody can be asked, the same, or `.notAccepted` if there are `losses`.
    static func requireInWindow(
        _ question: String, reasons: [String], losses: [Finding], untouched: String = QuestionText.nothingSigned,
        endedBy interruption: Int32? = nil
    ) throws(Failure) {
        let declined = Failure.declined(leaving: untouched)
        let unanswered = losses.isEmpty ? declined : Failure(unanswered: losses)
        if let pinentry = interruption.map({ Pinentry.here(endedBy: $0) }) ?? Pinentry.here {
            let text = Pinentry.Question(description: Self.description(question, reasons), prompt: "")
            do throws(PinentryError) { return try pinentry.confirm(text) } catch {
                if error == .interrupted { throw .interrupted(leaving: untouched) }
                if error == .cancelled { throw declined }
                // Nobody is there: nobody is at the terminal either.
                if error == .timedOut { throw unanswered }
                guard TerminalLine.isOurs else { throw unanswered }
            }
        }
        guard TerminalLine.isOurs else { throw unanswered }
        guard try answer(question, after: losses, untouched: untouched) == true else { throw declined }
    }

    /// As many reasons as fit into one Assuan line together with the question. If Assuan cut the line, the question
    /// would be lost, and reasons without a trace.
    static func description(_ question: String, _ reasons: [String]) -> String {
        let room = room(beside: question)
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

    /// The reasons, in parts that each fit into one Assuan line together with the question, so that nothing is left out.
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

    /// The most windows that one question takes.
    private static let mostPages = 8

    /// The reasons, in parts that each fit into one window.
    /// - Throws: `Failure.confirmationNeeded` if that are too many: a yes to a text that was cut is none.
    static func pages(_ reasons: [String], beside question: String) throws(Failure) -> [[String]] {
        guard let pages = parts(reasons, beside: question), pages.count <= mostPages else {
            throw Failure(.confirmationNeeded, "\(question) There is too much to show in a window.")
        }
        return pages
    }

    /// Asks in one window after the other, so that all reasons are seen; the last one has the question.
    /// - Parameter show: is given each part before its window.
    /// - Throws: as `requireInWindow`.
    static func require(
        _ question: String, inWindows pages: [[String]], losses: [Finding] = [], untouched: String,
        endedBy interruption: Int32? = nil, show: ([String]) -> Void = { _ in }
    ) throws(Failure) {
        for (index, page) in pages.enumerated() {
            let isLast = index == pages.count - 1
            show(page)
            try requireInWindow(
                isLast ? question : "Page \(index + 1) of \(pages.count). Continue?", reasons: page,
                losses: isLast ? losses : [], untouched: untouched, endedBy: interruption)
        }
    }

    private static func room(beside question: String) -> Int {
        Pinentry.Question.maximumLength - roomForRemark - length(question)
    }

    /// Percent signs and line ends are three bytes in an Assuan line.
    private static func length(_ line: String) -> Int {
        line.utf8.reduce(3) { $0 + ($1 == UInt8(ascii: "%") ? 3 : 1) }
    }

    /// For the command's name, and the number of reasons that are not shown.
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
    /// - Returns: `nil` without a terminal.
    private static func answer(
        _ question: String, typing word: String? = nil, after losses: [Finding] = [], untouched: String
    ) throws(Failure) -> Bool? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        do throws(InputError) {
            for finding in losses {
                let code = finding.code.rawValue
                let prompt = "Money could be lost. To accept this, type \(code):"
                guard try isTyped(code, at: prompt, on: terminal) else { return false }
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
