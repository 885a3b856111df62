import ExplainedErrors
import Glibc

extension WritingError: ExplainedError {
    /// Whether a file is in the way that would be lost.
    package var code: ErrorCode { errorNumber == EEXIST ? .wouldOverwrite : .cannotWrite }

    /// What happened, in the system's words.
    package var message: String {
        errorNumber == EEXIST
            ? "\(path) exists with other content, which may be another backup."
            : "\(path) cannot be written: \(String(cString: strerror(errorNumber)))."
    }

    /// Another file to name.
    package var remedy: String {
        errorNumber == EEXIST
            ? "Name another file, or move that one away, and try again."
            : "Name a file in a folder that can be written, and try again."
    }

    /// The file.
    package var subject: ErrorSubject? { .file(path) }
}
