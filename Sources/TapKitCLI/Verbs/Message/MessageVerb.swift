import ArgumentParser

/// `tapkit message`: signed messages.
struct MessageVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message", abstract: "Sign a message with the card, or verify a signed one.",
        subcommands: [MessageSignVerb.self, MessageVerifyVerb.self])
}
