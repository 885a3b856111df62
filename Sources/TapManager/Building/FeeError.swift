import Bitcoin
import ChainData
import ExplainedErrors

/// Why there is no fee rate.
package enum FeeError: Error, Sendable, Equatable {
    /// None was given, and there is no chain server to ask.
    case noServer
    /// The chain server has no estimate.
    case noEstimate
    /// The chain server's estimate is so high that only the user may choose it.
    case unbelievable(FeeRate)
    /// The chain server failed.
    case chain(ChainError)
}

extension FeeError: ExplainedError {
    /// What went wrong, as all layers name it.
    package var code: ErrorCode {
        switch self {
        case .noServer, .noEstimate: .feeNeeded
        case .unbelievable: .feeTooHigh
        case .chain(let error): error.code
        }
    }

    /// What happened.
    package var message: String {
        switch self {
        case .noServer: "There is no fee rate, and no chain server to ask for one."
        case .noEstimate: "The chain server has no fee estimate."
        case .unbelievable(let rate):
            "The chain server reports a fee rate of \(rate), which is too high to accept from a server."
        case .chain(let error): error.message
        }
    }

    /// What to do about it; empty when there is nothing to add.
    package var remedy: String {
        switch self {
        case .noServer, .noEstimate: ""
        case .unbelievable: "If the rate is right, set it yourself."
        case .chain(let error): error.remedy
        }
    }

    /// The rate, or the subject from the layer below.
    package var subject: ErrorSubject? {
        switch self {
        case .noServer, .noEstimate: nil
        case .unbelievable(let rate): .feeRate(rate)
        case .chain(let error): error.subject
        }
    }
}
