import Bitcoin

/// Something that the user must know about a PSBT before signing.
public struct Finding: Hashable, Sendable {
    /// What follows from a finding.
    public enum Severity: Int, Comparable, Sendable {
        /// Shown with the transaction.
        case notice
        /// Shown before the user is asked whether to sign.
        case warning
        /// Nothing is signed.
        case refusal

        /// Whether the left one is less severe.
        public static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
    }

    /// What a finding is about. Inputs and outputs are numbered from 0, as in the transaction.
    public enum Subject: Hashable, Sendable {
        /// The transaction as a whole.
        case transaction
        /// One input, with what it spends.
        case input(Int, Outpoint)
        /// One output.
        case output(Int)
    }

    /// The kind of finding.
    public let code: FindingCode
    /// Whether it forbids signing, must be accepted, or only informs.
    public let severity: Severity
    /// The transaction as a whole, or one of its inputs or outputs.
    public let subject: Subject
    /// What was found, with the figures.
    public let detail: String

    /// - Parameter detail: what was found, worded to follow the subject; text from outside must be sanitized first.
    package init(_ severity: Severity, _ code: FindingCode, _ subject: Subject, _ detail: String) {
        self.code = code
        self.severity = severity
        self.subject = subject
        self.detail = detail
    }

    /// A finding of a program's own check. A warning of this kind must be accepted by itself: a yes given in advance to
    /// all questions is not enough.
    /// - Parameter detail: one sentence for people; after an input or output as the subject, it continues that.
    public static func policy(_ severity: Severity, _ subject: Subject, _ detail: String) -> Finding {
        Finding(severity, .policy, subject, detail)
    }

    /// The transaction's effect cannot be shown. `AmountCheck` or `SpentOutputCheck` refuses for the same reason first.
    static let amountsDoNotAddUp = Finding(
        .refusal, .amountOutOfRange, .transaction, "The amounts do not add up.")

    /// The subject, then the detail: one sentence for people.
    public var message: String {
        switch subject {
        case .transaction: detail
        case .input(let index, let outpoint): "Input \(index) (\(outpoint)): \(detail)"
        case .output(let index): "Output \(index): \(detail)"
        }
    }
}

/// A PSBT that is not signed, with every reason.
package struct SigningRefusal: Error, Sendable, Equatable {
    /// The refusals, in the order of inputs and outputs; never empty.
    package let findings: [Finding]

    /// A refusal for these reasons, at least one.
    package init(findings: [Finding]) { self.findings = findings }
}
