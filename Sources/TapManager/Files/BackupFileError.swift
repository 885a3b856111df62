import ExplainedErrors

/// Why a backup cannot be saved where it was to be; found before the card is asked.
package enum BackupFileError: Error, Sendable, Equatable {
    /// What has the name is a pipe or a device, in which no backup stays.
    case noFile(String)
    /// The file cannot be written, or holds something else.
    case writing(WritingError)
}

extension BackupFileError: ExplainedError {
    /// That of the file.
    package var code: ErrorCode {
        switch self {
        case .noFile: .cannotWrite
        case .writing(let error): error.code
        }
    }

    /// What is in the way.
    package var message: String {
        switch self {
        case .noFile(let path): "\(path) is no file."
        case .writing(let error): error.message
        }
    }

    /// Another file to name.
    package var remedy: String {
        switch self {
        case .noFile: "Name a file that is not there yet."
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
