import ExplainedErrors

/// The answer no, for interactions without an error of their own to throw. If a manager only offered something, it
/// continues without it.
public struct Declined: ExplainedError, Equatable {
    private let untouched: String

    /// The answer no.
    public init() { self.init(untouched: "Nothing was done.") }
    /// - Parameter untouched: what the no leaves undone, as a sentence.
    package init(untouched: String) { self.untouched = untouched }
    /// `declined`.
    public var code: ErrorCode { .declined }
    /// States what was not done.
    public var message: String { "Cancelled. \(untouched)" }
}
