import ExplainedErrors
import TapProtocol

/// No person at all: whatever has to be asked ends the task, and nobody is told anything.
public struct NobodyToAsk: Interaction {
    /// That something had to be asked.
    package enum Absence: ExplainedError, Equatable {
        /// A question.
        case confirmation
        /// A CVC.
        case cvc
        /// A backup's key.
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
            case .confirmation: "A question has to be answered, and there is nobody to ask."
            case .cvc: "A CVC is needed, and there is nobody to ask for it."
            case .backupKey: "A backup's key is needed, and there is nobody to ask for it."
            }
        }
    }

    /// The interaction of a program that runs where nobody is.
    public init() {}
    /// - Throws: `ErrorCode.confirmationNeeded`.
    public func confirm(_ question: Question) throws { throw Absence.confirmation }
    /// - Throws: `ErrorCode.cvcNeeded`.
    public func cvc(for request: CVCRequest) throws -> CVC { throw Absence.cvc }
    /// Does nothing.
    public func notice(_ notice: Notice) {}
}
