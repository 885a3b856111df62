import ExplainedErrors
import Glibc

extension StoreCopyError: ExplainedError {
    /// What went wrong, as all layers name it.
    package var code: ErrorCode {
        switch self {
        case .store(let error): error.code
        case .file(let error): error.code
        case .notWhole: .storeDamaged
        case .inMemory: .storeFailed
        }
    }

    /// What happened to the store or the file, as a sentence.
    package var message: String {
        switch self {
        case .store(let error): error.message
        case .file(let error): error.errorNumber == EEXIST ? "\(error.path) exists already." : error.message
        case .notWhole(let path, let reason): "The copy \(path) was not made, as it would be damaged (\(reason))."
        case .inMemory: "The store is only in memory, and cannot be copied."
        }
    }

    /// What to do about it; empty when there is nothing to add.
    package var remedy: String {
        switch self {
        case .store(let error): error.remedy
        case .file(let error) where error.errorNumber == EEXIST: "Choose another file."
        case .file(let error): error.remedy
        case .notWhole, .inMemory: ""
        }
    }

    /// The store, or the copy.
    package var subject: ErrorSubject? {
        switch self {
        case .store(let error): error.subject
        case .file(let error): error.subject
        case .notWhole(let path, _): .store(path)
        case .inMemory: nil
        }
    }
}
