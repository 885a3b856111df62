import ArgumentParser

/// `tapkit recover`: what you can do when the card is lost.
struct RecoverVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Sign with the backup of a lost card.",
        subcommands: [RecoverSignVerb.self])
}
