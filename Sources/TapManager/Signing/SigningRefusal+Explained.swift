import ExplainedErrors

extension SigningRefusal: ExplainedError {
    /// The PSBT is refused.
    package var code: ErrorCode { .refused }

    /// The first reason.
    package var message: String { lines.first ?? "The PSBT is refused." }

    /// The other reasons: the first few of each kind.
    package var details: [String] { Array(lines.dropFirst()) }

    /// What to do about it.
    package var remedy: String { "Nothing was signed. Ask whoever made the PSBT." }

    /// The first refused input; `nil` if there is none.
    package var subject: ErrorSubject? {
        for case .input(let index, _) in findings.map(\.subject) { return .input(index) }
        return nil
    }

    private var lines: [String] { FindingText.lines(findings) }
}
