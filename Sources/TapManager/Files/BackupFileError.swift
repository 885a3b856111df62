import ExplainedErrors

/// Why a backup cannot be saved at the given path; found before the card is asked.
package enum BackupFileError: Error, Sendable, Equatable {
    /// The name is a pipe's or a device's, which does not keep a backup.
    case noFile(String)
    /// The file cannot be written, or has other content.
    case writing(WritingError)
}

extension BackupFileError: ExplainedError {
    /// The file error's code.
    package var code: ErrorCode {
        switch self {
        case .noFile: .cannotWrite
        case .writing(let error): error.code
        }
    }

    /// What prevents saving.
    package var message: String {
        switch self {
        case .noFile(let path): "\(path) is not a regular file."
        case .writing(let error): error.message
        }
    }

    /// To choose another file.
    package var remedy: String {
        switch self {
        case .noFile: "Choose a file that does not exist yet."
        case .writing(let error): error.remedy
        }
    }

    /// The file.
    package var subject: ErrorSubject? {
        switch self {
        case .noFile(let path): .file(path)
        case .writing(let error): error.subject
        }
    }
}
