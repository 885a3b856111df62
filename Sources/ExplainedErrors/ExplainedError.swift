/// An error that can be told to a person as it is, and that a program can tell from others: one form for all layers.
///
/// None of its texts holds a secret, and none names a command, an option or a button: what a front end adds, it adds by
/// the code and the subject.
public protocol ExplainedError: Error, Sendable {
    /// What went wrong, for programs.
    var code: ErrorCode { get }
    /// What happened: a whole sentence, or several. Text from outside (a label, a server's words) may stand in it as it
    /// came, line ends and escape sequences included: whoever shows it makes it harmless.
    var message: String { get }
    /// More lines below the message, such as each reason of a refusal.
    var details: [String] { get }
    /// What to do about it, in whole sentences; empty when there is nothing to say.
    var remedy: String { get }
    /// What it is about; `nil` when that is plain, or not one thing.
    var subject: ErrorSubject? { get }
}

extension ExplainedError {
    /// None.
    public var details: [String] { [] }
    /// Nothing to say.
    public var remedy: String { "" }
    /// None.
    public var subject: ErrorSubject? { nil }
}
