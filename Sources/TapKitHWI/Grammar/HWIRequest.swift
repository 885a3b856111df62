/// What a command line asks for.
enum HWIRequest {
    /// The version.
    case version
    /// What can be said: to a command; `nil`: to HWI.
    case help(HWIGrammar?)
    /// That a command is carried out.
    case command(any HWICommand.Type, HWIValues)
}

/// A command line that makes no sense.
struct HWIUsageError: Error, Equatable {
    /// The command whose options were read; `nil`: HWI's own.
    let command: String?
    /// What is wrong.
    let message: String

    /// Whose usage it is.
    var program: String { (["hwi"] + (command.map { [$0] } ?? [])).joined(separator: " ") }
}
