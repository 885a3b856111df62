/// An error that can be shown to a user as it is, and that a program can distinguish: one form for all layers.
///
/// Its texts hold no secret, and name no command, option or button. A front end adds those by the code and the subject.
public protocol ExplainedError: Error, Sendable {
    /// What went wrong, for programs.
    var code: ErrorCode { get }
    /// What happened, in one or more whole sentences. It may contain text from outside (a label, a server's words) as
    /// received, with line ends and escape sequences. Whoever shows it must make it harmless.
    var message: String { get }
    /// More lines below the message, such as each reason of a refusal.
    var details: [String] { get }
    /// What to do about it, in whole sentences; empty when there is no advice.
    var remedy: String { get }
    /// What it is about; `nil` when that is obvious, or more than one thing.
    var subject: ErrorSubject? { get }
}

extension ExplainedError {
    /// None.
    public var details: [String] { [] }
    /// No advice.
    public var remedy: String { "" }
    /// None.
    public var subject: ErrorSubject? { nil }
}
