import ExplainedErrors

extension SigningRefusal: ExplainedError {
    /// The PSBT is refused.
    package var code: ErrorCode { .refused }

    /// The first reason.
    package var message: String { lines.first ?? "The PSBT is refused." }

    /// The other reasons: of each kind the first few.
    package var details: [String] { Array(lines.dropFirst()) }

    /// Whom to ask.
    package var remedy: String { "Nothing was signed. Ask whoever made the PSBT." }

    /// The first input that is refused; `nil` when none is.
    package var subject: ErrorSubject? {
        for case .input(let index, _) in findings.map(\.subject) { return .input(index) }
        return nil
    }

    private var lines: [String] { FindingText.lines(findings) }
}
