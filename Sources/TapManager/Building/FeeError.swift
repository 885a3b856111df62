import Bitcoin
import ChainData
import ExplainedErrors

/// Why no fee rate is to be had.
package enum FeeError: Error, Sendable, Equatable {
    /// None was given, and there is no chain server to ask.
    case noServer
    /// The chain server has no estimate.
    case noEstimate
    /// The chain server names one so high that only a person may.
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
            "The chain server names a fee rate of \(rate), more than is taken from a server."
        case .chain(let error): error.message
        }
    }

    /// What to do about it; empty when there is nothing to add.
    package var remedy: String {
        switch self {
        case .noServer, .noEstimate: ""
        case .unbelievable: "If that is right, set the rate yourself."
        case .chain(let error): error.remedy
        }
    }

    /// The rate, or what the layer below names.
    package var subject: ErrorSubject? {
        switch self {
        case .noServer, .noEstimate: nil
        case .unbelievable(let rate): .feeRate(rate.satoshisPerVirtualByteText)
        case .chain(let error): error.subject
        }
    }
}
