import ExplainedErrors
import Glibc

extension WritingError: ExplainedError {
    /// `would_overwrite` if a file exists that would be lost.
    package var code: ErrorCode { errorNumber == EEXIST ? .wouldOverwrite : .cannotWrite }

    /// What happened, in the system's words.
    package var message: String {
        errorNumber == EEXIST
            ? "\(path) exists with other content, which may be another backup."
            : "\(path) cannot be written: \(String(cString: strerror(errorNumber)))."
    }

    /// To choose another file.
    package var remedy: String {
        errorNumber == EEXIST
            ? "Choose another file, or move that one away, and try again."
            : "Choose a file in a writable folder, and try again."
    }

    /// The file.
    package var subject: ErrorSubject? { .file(path) }
}
