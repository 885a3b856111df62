import ExplainedErrors
import TapProtocol

/// No user: a task ends when it has to ask something, and notices are dropped.
package struct NobodyToAsk: Interaction {
    /// Something had to be asked.
    package enum Absence: ExplainedError, Equatable {
        /// A question.
        case confirmation
        /// A CVC.
        case cvc
        /// A backup key.
        case backupKey

        /// `confirmation_needed`, `cvc_needed` or `key_needed`.
        package var code: ErrorCode {
            switch self {
            case .confirmation: .confirmationNeeded
            case .cvc: .cvcNeeded
            case .backupKey: .keyNeeded
            }
        }
        /// What was needed.
        package var message: String {
            switch self {
            case .confirmation: "A question must be answered, but there is nobody to ask."
            case .cvc: "A CVC is needed, but there is nobody to ask for it."
            case .backupKey: "A backup key is needed, but there is nobody to ask for it."
            }
        }
    }

    /// The interaction of a program that runs unattended.
    package init() {}
    /// - Throws: `ErrorCode.confirmationNeeded`.
    package func confirm(_ question: Question) throws { throw Absence.confirmation }
    /// - Throws: `ErrorCode.cvcNeeded`.
    package func cvc(for request: CVCRequest) throws -> CVC { throw Absence.cvc }
    /// Does nothing.
    package func notice(_ notice: Notice) {}
}
