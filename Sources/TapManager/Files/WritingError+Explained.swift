import ExplainedErrors
import Glibc

extension WritingError: ExplainedError {
    /// `would_overwrite` if a file exists that would be lost; `disk_full` if there is no room for it.
    package var code: ErrorCode {
        switch errorNumber {
        case EEXIST: .wouldOverwrite
        case ENOSPC, EDQUOT: .diskFull
        default: .cannotWrite
        }
    }

    /// What happened, mostly in the system's words.
    package var message: String {
        switch errorNumber {
        case EEXIST: "\(path) exists with other content, which may be another backup."
        case ESTALE: "Something else took the place of \(path) while it was written."
        default: "\(path) cannot be written: \(String(cString: strerror(errorNumber)))."
        }
    }

    /// To choose another file, or to make room.
    package var remedy: String {
        switch code {
        case _ where errorNumber == ESTALE: "Look at what is there now, and try again."
        case .wouldOverwrite: "Choose another file, or move that one away, and try again."
        case .diskFull: "Free some space, or choose a file on another disk, and try again."
        default: "Choose a file in a writable folder, and try again."
        }
    }

    /// The file.
    package var subject: ErrorSubject? { .file(path) }
}
