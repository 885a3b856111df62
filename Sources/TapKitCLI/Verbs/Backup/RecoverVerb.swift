import ArgumentParser

/// `tapkit recover`: what is left to do when the card is lost.
struct RecoverVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "The card is lost: sign with its backup.",
        subcommands: [RecoverSignVerb.self])
}
