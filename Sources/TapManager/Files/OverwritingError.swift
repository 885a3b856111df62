import ExplainedErrors

/// Why an existing file is not replaced, unless the user asks for that.
package enum OverwritingError: Error, Sendable, Equatable {
    /// What the file has may be nowhere else.
    case exists(String)
    /// A signed PSBT was to be written, and the file has anything else than the same PSBT with other signatures.
    case notSignedForm(String)
}

extension OverwritingError: ExplainedError {
    /// Something would be lost.
    package var code: ErrorCode { .wouldOverwrite }

    /// Which file it is, by its path.
    package var message: String {
        switch self {
        case .exists(let path): "\(path) exists."
        case .notSignedForm(let path): "\(path) exists and is not a signed form of this PSBT."
        }
    }

    /// To choose another file.
    package var remedy: String { "Choose another file, or move that one away." }

    /// That the caller can have it replaced anyway.
    package var subject: ErrorSubject? { .choice(.overwriting) }
}
