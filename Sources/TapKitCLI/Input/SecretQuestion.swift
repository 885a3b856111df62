import Bitcoin
import ExplainedErrors
import Glibc
import Pinentry
import Terminal
import TextLayout

/// A prompt for a secret: on the controlling terminal without echo, or, if there is none, by pinentry.
struct SecretQuestion: Sendable {
    /// What is asked for.
    enum Subject: Sendable {
        case cvc, backupKey

        /// Its name in messages.
        var name: String { self == .cvc ? "CVC" : "backup key" }
        /// The error if nobody can be asked.
        var absence: ErrorCode { self == .cvc ? .cvcNeeded : .keyNeeded }
        /// The option for a file that contains it.
        var option: String { self == .cvc ? "--cvc-file" : BackupKeyOptions.option }
    }

    let subject: Subject
    /// The prompt on a terminal, which is broken to its width.
    let line: String
    /// The text above a pinentry's field; line breaks are kept.
    let description: String
    /// The prompt before a pinentry's field.
    let prompt: String
    /// What was wrong with the previous answer.
    var error: String?
    /// The option for a file that contains it, for the hint if nobody can be asked.
    var option: String?
    /// Whether the caller is a program with windows, whose user does not look at the terminal: then pinentry comes
    /// first.
    var isForWindow = false
    /// Becomes readable when nobody wants the answer any more; `nil`: on Ctrl-C only.
    var interruption: Int32?

    private var pinentry: Pinentry? { interruption.map { Pinentry.here(endedBy: $0) } ?? Pinentry.here }

    /// The last line of a description that says which program asks; empty for the user's own command.
    static func line(naming asker: String?) -> String {
        asker.map { "\n\(TerminalText.neutralized($0)) asks for it." } ?? ""
    }

    /// Asks once.
    /// - Returns: what was typed, unchecked.
    /// - Throws: `Failure`: `.cancelled`, `.timedOut`, `.interrupted`, `.badEnvironment`; `.cvcNeeded` or `.keyNeeded`
    ///   if nobody can be asked.
    func ask() throws(Failure) -> SecretBytes {
        if isForWindow, let pinentry, let answer = try answerInWindow(by: pinentry) { return answer }
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0, !isForWindow || TerminalLine.isOurs else {
            if terminal >= 0 { close(terminal) }
            guard let pinentry else {
                throw nobody("there is neither a terminal nor a pinentry to ask for it")
            }
            return try answer(by: pinentry)
        }
        defer { close(terminal) }
        let style = TerminalStyle(of: terminal)
        // In a window, the terminal has not shown yet what it is for.
        let before = error.map { [$0] } ?? (isForWindow ? description.split(separator: "\n").map(String.init) : [])
        let screen = before.map { ScreenLine($0).shown(in: style) + "\n" }.joined() + ScreenLine(line).shown(in: style)
        let answer: SecretBytes?
        do throws(InputError) {
            answer = try TerminalEcho.withoutEcho(on: terminal) { () throws(InputError) -> SecretBytes? in
                Console.write(screen + " ", to: terminal)
                try TerminalLine.waitForAnswer(on: terminal)
                guard var bytes = try TerminalLine.typed(on: terminal) else {
                    Console.write("\n", to: terminal)
                    return nil
                }
                return SecretBytes(moving: &bytes)
            }
        } catch { throw Failure(error) }
        // Ctrl-D, as at a question for yes or no.
        guard let answer else { throw cancelled }
        return answer
    }

    private var cancelled: Failure { Failure(.cancelled, "Cancelled: no \(subject.name) was entered.") }

    /// - Returns: `nil` if pinentry cannot ask, but the terminal can.
    private func answerInWindow(by pinentry: Pinentry) throws(Failure) -> SecretBytes? {
        do throws(Failure) { return try answer(by: pinentry) } catch {
            guard error.code == subject.absence, TerminalLine.isOurs else { throw error }
            return nil
        }
    }

    private func answer(by pinentry: Pinentry) throws(Failure) -> SecretBytes {
        let question = Pinentry.Question(description: description, prompt: prompt, error: error)
        do throws(PinentryError) { return try pinentry.ask(question) } catch {
            switch error {
            case .cancelled: throw cancelled
            case .timedOut:
                throw Failure(
                    .timedOut, "No \(subject.name) was entered: \(pinentry.path) got no answer in time.",
                    hint: "Run the command again. \(fileHint)")
            case .interrupted: throw .interrupted
            case .nowhereToAsk: throw nobody("\(pinentry.path) has no terminal and no display to ask for it")
            case .cannotStart(_, let reason): throw nobody("\(pinentry.path) cannot be started: \(reason)")
            case .refused(let words): throw nobody("\(pinentry.path) refuses to ask for it: \(words)")
            case .ended: throw nobody("\(pinentry.path) ended before anyone answered")
            case .garbage(let problem): throw nobody("\(pinentry.path) does not behave like a pinentry: \(problem)")
            }
        }
    }

    private func nobody(_ reason: String) -> Failure {
        Failure(
            subject.absence, "A \(subject.name) is needed, but \(reason).",
            hint:
                "\(fileHint) Or let a pinentry ask: in a window with Debian's pinentry-gnome3, pinentry-qt or "
                + "pinentry-gtk2, on another terminal with pinentry-curses or pinentry-tty (export GPG_TTY=$(tty)).")
    }

    private var fileHint: String {
        "Put it on the first line of a file: \(option ?? subject.option) PATH, or `-` for standard input."
    }
}
