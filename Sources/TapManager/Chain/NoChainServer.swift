import ExplainedErrors

/// A chain server is needed, and the manager has none for the network.
package struct NoChainServer: Error, Sendable, Equatable {
    /// What it is needed for, worded to end a sentence.
    package enum Purpose: String, Sendable {
        case sweep = "find the money in the slots"
        case holdings = "show the slots' balances"
        case send = "send the transaction"
        case synchronize = "ask about the wallet"
    }

    /// What cannot be done without one.
    package let task: Purpose
}

extension NoChainServer: ExplainedError {
    /// What went wrong, as all layers name it.
    package var code: ErrorCode { .noChainServer }

    /// What happened.
    package var message: String { "No chain server is set, and one is needed to \(task.rawValue)." }
}
