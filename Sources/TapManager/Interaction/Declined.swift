import ExplainedErrors

/// The answer no, for interactions without an error of their own to throw. If a manager only offered something, it
/// continues without it.
public struct Declined: ExplainedError, Equatable {
    /// The answer no.
    public init() {}
    /// `declined`.
    public var code: ErrorCode { .declined }
    /// States that nothing was done.
    public var message: String { "Cancelled. Nothing was done." }
}
