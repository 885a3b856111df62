import ArgumentParser
import TapManager
import TapProtocol

/// `tapkit card name`: what a person calls a card.
struct CardNameVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "name", abstract: "Give a card a name, or take it away.",
        discussion: """
            The name is kept in the local store and shown beside the card's ident. It proves nothing: compare the ident \
            with the one on the card's back. The store knows every card that was on a reader before.
            """)

    @Argument(help: ArgumentHelp("The card's ident, whole or the beginning of it.", valueName: "ident"))
    var ident: String

    @Argument(help: ArgumentHelp("The name; an empty one takes it away.", valueName: "name"))
    var name: String?

    @Flag(help: "Take the name away.")
    var remove = false

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        let ident: String
        /// `nil`: none.
        let name: String?
    }

    func run() async throws {
        try options.requireSense()
        guard (name == nil) == remove else {
            throw Failure(.usage, "Give a name, or --remove to take it away.")
        }
        let card = try Invocation(options, to: .tending).manager.nameCard(ident, name)
        options.console.answer(
            Answer(ident: card.ident.text, name: card.shownName),
            [card.shownName.map { "\(card.ident) is now called “\($0)”." } ?? "\(card.ident) has no name now."])
    }
}
