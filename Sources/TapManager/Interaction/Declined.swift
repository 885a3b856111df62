import ExplainedErrors

/// The answer no, for interactions without an error of their own to throw. If a manager only offered something, it
/// continues without it.
public struct Declined: ExplainedError, Equatable {
    private let untouched: String?

    /// The answer no. What was done before, such as another card's signature, stays done.
    public init() { untouched = nil }
    /// - Parameter untouched: what the no leaves undone, as a sentence.
    package init(untouched: String) { self.untouched = untouched }
    /// `declined`.
    public var code: ErrorCode { .declined }
    /// That it was cancelled and, if that is known, what was not done.
    public var message: String { ["Cancelled.", untouched].compactMap(\.self).joined(separator: " ") }
}
