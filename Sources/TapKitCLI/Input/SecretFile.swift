import ExplainedErrors
import Glibc
import TapProtocol
import Terminal

/// A file that a secret is read from, or standard input, as messages name it. They never repeat its content.
struct SecretFile {
    /// `-`, or the system's name, for standard input.
    let path: String
    let subject: SecretQuestion.Subject
    /// What names the file: an option, or also a variable.
    let option: String

    /// The first line, which the caller must wipe.
    /// - Throws: `Failure`: `.noInputFile`, `.inputUnreadable`, `.interrupted`; `.usage` for a terminal.
    func firstLine() throws(Failure) -> [UInt8] {
        let descriptor = InputFile.isStandardInput(path) ? STDIN_FILENO : InputFile.opened(path)
        guard descriptor >= 0 else {
            let code: ErrorCode = errno == ENOENT ? .noInputFile : .inputUnreadable
            throw failure(code, "\(String(cString: strerror(errno))).")
        }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        guard isatty(descriptor) != 1 else { throw Failure(InputError.terminal(file: name)) }
        do throws(InputError) {
            try TerminalLine.waitForInput(descriptor)
            return try TerminalLine.bytes(from: descriptor)
        } catch { throw error == .interrupted ? .interrupted : Failure(error).prefixed("\(name): ") }
    }

    /// Content that is not the secret.
    /// - Parameter line: the line's number, from 1; `nil`: the first one.
    func failure(_ error: TapError, inLine line: Int? = nil) -> Failure {
        Failure(error).retold("\(name(inLine: line)): \(error.message)").advising(hint)
    }

    /// Something wrong with the file, in a sentence.
    func failure(_ code: ErrorCode, _ problem: String, inLine line: Int? = nil) -> Failure {
        let failure = Failure(code, "\(name(inLine: line)): \(problem)")
        return code == .badCVC ? failure.advising(hint) : failure
    }

    private var name: String {
        InputFile.isStandardInput(path) ? "Standard input" : "The \(subject.name) file \(path)"
    }

    private func name(inLine line: Int?) -> String { name + (line.map { ", line \($0)" } ?? "") }

    private var hint: String {
        let form = subject == .cvc ? "the CVC: 6 to 32 digits" : "the backup key: 32 characters, printed on the card"
        return "The first line of what \(option) names must be \(form)."
    }
}
