import ExplainedErrors

/// A no to a question, for interactions that have no error of their own to throw. A manager that only offers something goes on
/// without it.
public struct Declined: ExplainedError, Equatable {
    /// A no.
    public init() {}
    /// `declined`.
    public var code: ErrorCode { .declined }
    /// That nothing came of it.
    public var message: String { "Cancelled. Nothing was done." }
}
