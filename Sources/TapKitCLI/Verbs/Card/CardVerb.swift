import ArgumentParser

/// `tapkit card`: what the store remembers about a card.
struct CardVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "card", abstract: "Give a card a name, so that you can tell it from others.",
        subcommands: [CardNameVerb.self])
}
