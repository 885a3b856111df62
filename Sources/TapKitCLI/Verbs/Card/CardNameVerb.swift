import ArgumentParser
import TapManager
import TapProtocol

/// `tapkit card name`: a name for a card.
struct CardNameVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "name", abstract: "Give a card a name, or remove it.",
        discussion: """
            The name is kept in the local store and shown next to the card's ident. It proves nothing: compare the \
            ident with the one on the back of the card. The store knows every card that was on a reader before.
            """)

    @Argument(help: ArgumentHelp("The card's ident, or the start of it.", valueName: "ident"))
    var ident: String

    @Argument(help: ArgumentHelp("The name; an empty one removes it.", valueName: "name"))
    var name: String?

    @Flag(help: "Remove the name.")
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
            throw Failure(.usage, "Give a name, or --remove to remove it.")
        }
        let card = try Invocation(options, to: .tending).manager.nameCard(ident, name)
        options.console.answer(
            Answer(ident: card.ident.text, name: card.shownName),
            [card.shownName.map { "\(card.ident) is now called “\($0)”." } ?? "\(card.ident) now has no name."])
    }
}
