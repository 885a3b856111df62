import Bitcoin
import ExplainedErrors
import FrontEndText
import TapManager
import Terminal
import TextLayout

/// Asks on the terminal for what a policy still lacks, in plain questions. An answer that is not possible is explained, and
/// asked for again.
struct PolicyDialogue {
    private let holders: PolicyHolders
    private let console: Console
    /// How often a question is asked: a terminal whose end is reached answers for ever.
    private static let attempts = 5

    init(_ holders: PolicyHolders, on console: Console) { (self.holders, self.console) = (holders, console) }

    /// The request with everything that was missing.
    /// - Throws: `Failure`: `.declined` if there is no answer, `.interrupted` on Ctrl-C.
    func completed(_ request: PolicyRequest) throws(Failure) -> PolicyRequest {
        var request = request
        request.complete()
        let template = request.template
        console.note("\(template.summary.prefix(1).uppercased())\(template.summary.dropFirst()).")
        let lacksLaterKeys = template.hasLaterKeys && request.laterHolders.isEmpty
        let fewest = template.fewestKeys
        let lacksKeys = request.holders.count < fewest
        if lacksKeys || lacksLaterKeys { showChoices() }
        if lacksKeys {
            request.holders = try keys(
                { "Key \($0) that can spend at any time" }, atLeast: fewest, after: request.holders,
                besides: request.laterHolders)
        }
        request.complete()
        if request.threshold == nil {
            let count = request.holders.count
            request.threshold = try number(
                "How many of these \(count) keys must sign?", fewest...max(fewest, count),
                ifCertain: { count == 2 ? "Both keys must sign." : "\($0.counted("key")) must sign." })
        }
        if lacksLaterKeys {
            request.laterHolders = try keys(template.laterTitle, atLeast: 1, besides: request.holders)
        }
        request.complete()
        if template.hasLaterThreshold, request.laterThreshold == nil {
            let most = template == .decaying ? max(1, (request.threshold ?? 2) - 1) : request.laterCount
            request.laterThreshold = try number(
                "How many of \(template == .decaying ? "the" : "these") \(request.laterCount) keys must sign later?",
                1...max(1, most), ifCertain: { "Later, \($0.counted("key")) must sign." })
        }
        if request.blocks == nil { request.blocks = try blocks(until: template.opening) }
        return request
    }

    private func showChoices() {
        let choices = holders.choices
        guard !choices.isEmpty else {
            return console.note(
                "No card has proven a key to the local store yet; tapkit export cosigner lets a card prove one.")
        }
        console.note("Keys that cards have proven:")
        console.note(lines: choices.enumerated().map { "  \($0 + 1)  \($1.line)" })
    }

    private func keys(
        _ title: (Int) -> String, atLeast fewest: Int, after given: [PolicyHolder] = [],
        besides others: [PolicyHolder] = []
    ) throws(Failure) -> [PolicyHolder] {
        var chosen = given
        while chosen.count < MultisigScript.maximumKeyCount {
            let isEnough = chosen.count >= fewest
            let how = isEnough ? "Enter if none" : "its number, card:TEXT, a file, or [fingerprint/path]xpub…"
            let found = try answer("\(title(chosen.count + 1)) (\(how)):", isEmptyAllowed: isEnough) {
                text throws(Failure) in
                let holder = try key(text)
                if (others + chosen).contains(where: { $0.key.origin.fingerprint == holder.key.origin.fingerprint }) {
                    throw Failure(.usage, "You have already given a key of \(holder.key.origin.fingerprint).")
                }
                return holder
            }
            guard let found else { break }
            chosen.append(found)
        }
        return chosen
    }

    private func key(_ text: String) throws(Failure) -> PolicyHolder {
        let choices = holders.choices
        guard let number = Int(text) else { return try holders.holder(text) }
        guard (1...max(1, choices.count)).contains(number), !choices.isEmpty else {
            throw Failure(.usage, "There is no key \(number) in the list.")
        }
        return choices[number - 1]
    }

    /// - Parameter words: for the only number that is possible: then nothing is asked.
    private func number(
        _ question: String, _ range: ClosedRange<Int>, ifCertain words: (Int) -> String
    ) throws(Failure) -> Int {
        guard range.count > 1 else {
            console.note(words(range.lowerBound))
            return range.lowerBound
        }
        let found = try answer("\(question) (\(range.lowerBound) to \(range.upperBound))", isEmptyAllowed: false) {
            text throws(Failure) in
            guard let number = Int(text), range.contains(number) else {
                throw Failure(.usage, "Give a number from \(range.lowerBound) to \(range.upperBound).")
            }
            return number
        }
        guard let found else { throw Self.declined }
        return found
    }

    /// - Parameter event: what a coin of that age leads to, after “before”.
    private func blocks(until event: String) throws(Failure) -> Int {
        let most = TemplatePolicy.maximumBlocks
        let found = try answer(
            "How old must a coin be before \(event), in blocks (26280) or days (180d)? At most "
                + "\(TemplatePolicy.wait(most)).",
            isEmptyAllowed: false
        ) { text throws(Failure) in try PolicyAge.blocks(text) }
        guard let found else { throw Self.declined }
        return found
    }

    /// - Returns: `nil` if an empty answer is allowed, and given.
    private func answer<Value>(
        _ question: String, isEmptyAllowed: Bool, _ read: (String) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        for _ in 0..<Self.attempts {
            let text: String?
            do throws(InputError) { text = try TerminalEntry.ask(question) } catch {
                throw error == .interrupted ? .interrupted(leaving: QuestionText.nothingChanged) : Failure(error)
            }
            guard let text else { throw Self.declined }
            if text.isEmpty {
                if isEmptyAllowed { return nil }
                continue
            }
            do throws(Failure) { return try read(text) } catch {
                // Where to read about options is of no use here.
                let hints = [error.hint].filter { !$0.isEmpty && $0 != CommandHint.hint(.usage) }
                console.note(lines: error.lines + hints)
            }
        }
        throw Self.declined
    }

    private static let declined = Failure.declined(leaving: QuestionText.nothingChanged)
}

extension PolicyTemplate {
    /// What one of the later keys is called.
    fileprivate func laterTitle(_ number: Int) -> String {
        switch self {
        case .inheritance: "Heir \(number)'s key"
        case .recovery: "Key \(number) for recovery"
        case .expanding, .decaying: "Key \(number) that can also sign later"
        }
    }

    /// What becomes possible once a coin is old enough.
    fileprivate var opening: String {
        switch self {
        case .inheritance, .recovery: "the later keys can spend it"
        case .expanding: "the later keys can sign for it, too"
        case .decaying: "fewer keys are enough"
        }
    }
}
