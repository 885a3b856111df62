import ExplainedErrors
import TapProtocol

/// Why a card is not what it should be: every proof that failed, as one error.
package struct FailedProofs: ExplainedError, Equatable {
    /// `not_genuine`, `tampered`, `bad_proof` or `altered_signature`.
    package let code: ErrorCode
    /// The failed proofs, each with its name and the reason; at least one.
    private let lines: [String]
    /// What to do about the proof that failed when the card was asked for it; empty if the general advice applies.
    package let remedy: String
    /// What is remembered about the card, if the proof contradicts that.
    package let subject: ErrorSubject?

    /// `nil` if every proof is valid.
    init?(_ verification: CardVerification) {
        guard let code = verification.failureCode else { return nil }
        self.code = code
        lines = verification.proofs.filter { !$0.holds }.map { "\($0.name): \($0.detail)." }
        remedy = verification.refusal?.remedy ?? ""
        subject = verification.refusal?.subject
    }

    /// The first one.
    package var message: String { lines.first ?? "" }

    /// The others.
    package var details: [String] { Array(lines.dropFirst()) }
}
