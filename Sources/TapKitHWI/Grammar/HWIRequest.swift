/// What a command line requests.
enum HWIRequest {
    /// The version.
    case version
    /// The help of a command; `nil`: of HWI.
    case help(HWIGrammar?)
    /// A command to run.
    case command(any HWICommand.Type, HWIValues)
}

/// An invalid command line.
struct HWIUsageError: Error, Equatable {
    /// The command whose options were read; `nil`: HWI's own.
    let command: String?
    /// What is wrong.
    let message: String

    /// The program's name in the usage message.
    var program: String { (["hwi"] + (command.map { [$0] } ?? [])).joined(separator: " ") }
}
