import Bitcoin
import ExplainedErrors
import Glibc
import Pinentry

/// A question for a secret: on the controlling terminal, without echo, or where there is none by a pinentry.
struct SecretQuestion: Sendable {
    /// What is asked for.
    enum Subject: Sendable {
        case cvc, backupKey

        /// As people are told of it.
        var name: String { self == .cvc ? "CVC" : "backup key" }
        /// What is said when there is nobody to ask.
        var absence: ErrorCode { self == .cvc ? .cvcNeeded : .keyNeeded }
        /// The option that names a file with it.
        var option: String { self == .cvc ? "--cvc-file" : BackupKeyOptions.option }
    }

    let subject: Subject
    /// What stands before the answer on a terminal.
    let line: String
    /// What a pinentry says above the field; lines are kept.
    let description: String
    /// What stands before a pinentry's field.
    let prompt: String
    /// What was wrong with the answer before.
    var error: String?
    /// The option that names a file with it, for the hint when nobody can be asked.
    var option: String?
    /// Whether a program calls that people look at, and not at the terminal that it was started from: then a pinentry
    /// comes first.
    var isForWindow = false

    /// Asks once.
    /// - Returns: what was typed; nothing has been checked about it.
    /// - Throws: `Failure`: `.cancelled`, `.timedOut`, `.interrupted`, `.badEnvironment`; `.cvcNeeded` or `.keyNeeded`
    ///   when nobody can be asked.
    func ask() throws(Failure) -> SecretBytes {
        if isForWindow, let pinentry = Pinentry.here, let answer = try answerInWindow(by: pinentry) { return answer }
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0, !isForWindow || TerminalLine.isOurs else {
            if terminal >= 0 { close(terminal) }
            guard let pinentry = Pinentry.here else {
                throw nobody("there is no terminal to ask for it, and no pinentry")
            }
            return try answer(by: pinentry)
        }
        defer { close(terminal) }
        return try TerminalEcho.withoutEcho(on: terminal) { () throws(Failure) -> SecretBytes in
            if let error {
                Console.write(TerminalText.neutralized(error) + "\n", to: terminal)
            } else if isForWindow {
                // Nothing else has told what for: the caller's words are in a window, or nowhere.
                for text in description.split(separator: "\n") {
                    Console.write(TerminalText.neutralized(String(text)) + "\n", to: terminal)
                }
            }
            Console.write(line, to: terminal)
            try TerminalLine.waitForInput(terminal)
            var bytes = try TerminalLine.bytes(from: terminal)
            return SecretBytes(moving: &bytes)
        }
    }

    /// - Returns: `nil` when the program can ask nobody, but the terminal can.
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
            case .cancelled: throw Failure(.cancelled, "The \(subject.name) was not entered: cancelled.")
            case .timedOut:
                throw Failure(
                    .timedOut, "The \(subject.name) was not entered: nobody answered \(pinentry.path) in time.",
                    hint: "Run the command again. \(fileHint)")
            case .interrupted: throw .interrupted
            case .nowhereToAsk: throw nobody("\(pinentry.path) has no terminal and no display to ask for it")
            case .cannotStart(_, let reason): throw nobody("\(pinentry.path) cannot be started: \(reason)")
            case .refused(let words): throw nobody("\(pinentry.path) does not ask for it: \(words)")
            case .ended: throw nobody("\(pinentry.path) ended before anybody answered")
            case .garbage(let problem): throw nobody("\(pinentry.path) does not speak as a pinentry does: \(problem)")
            }
        }
    }

    private func nobody(_ reason: String) -> Failure {
        Failure(
            subject.absence, "A \(subject.name) is needed and \(reason).",
            hint:
                "\(fileHint) Or have it asked for: in a window by Debian's pinentry-gnome3, pinentry-qt or pinentry-gtk2, "
                + "on another terminal by pinentry-curses or pinentry-tty (export GPG_TTY=$(tty)).")
    }

    private var fileHint: String {
        "Give it in the first line of a file: \(option ?? subject.option) PATH, or `-` for standard input."
    }
}
