import ExplainedErrors
import Glibc

/// Why nothing was read from the terminal, from standard input, or from a file.
package struct InputError: ExplainedError, Equatable {
    /// `interrupted`, `no_input_file`, `input_unreadable` or `input_too_large`; `usage` for a terminal that is refused.
    package let code: ErrorCode
    /// What could not be read, with the system's reason; for `interrupted`, nothing else.
    package let message: String
    /// How to enter what must not be shown; otherwise empty.
    package let remedy: String

    private init(_ code: ErrorCode, _ message: String, remedy: String = "") {
        (self.code, self.message, self.remedy) = (code, message, remedy)
    }

    /// Ctrl-C, or the system's request to end.
    package static let interrupted = InputError(.interrupted, "Interrupted.")

    /// A file that cannot be opened or read, for the reason in `errno`.
    static func unreadable(file name: String) -> InputError {
        let code: ErrorCode = errno == ENOENT || errno == ENOTDIR ? .noInputFile : .inputUnreadable
        return InputError(code, "\(name): \(String(cString: strerror(errno))).")
    }

    /// An open stream that cannot be read, for the reason in `errno`.
    /// - Parameter name: such as `The line`, at the start of a sentence.
    static func unreadable(stream name: String) -> InputError {
        InputError(.inputUnreadable, "\(name) cannot be read: \(String(cString: strerror(errno))).")
    }

    /// A terminal, named as the file that a secret is in: it would show what is typed.
    /// - Parameter name: the file, at the start of a sentence.
    package static func terminal(file name: String) -> InputError {
        InputError(
            .usage, "\(name) is a terminal, which would show what is typed.",
            remedy: "Leave out the option or the variable: you are then asked, and what you type is not shown.")
    }

    /// More than is ever read.
    /// - Parameter sentence: what is too large, with the limit.
    static func tooLarge(_ sentence: String) -> InputError { InputError(.inputTooLarge, sentence) }
}
