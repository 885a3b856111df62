import ArgumentParser
import TapManager
import TapProtocol

/// `tapkit store forget`: removes what the store remembers about a card.
struct StoreForgetVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget what is stored about a card: its version and its proven keys.",
        discussion: """
            A card that contradicts the store fails a proof: it has a lower version, or another key at a path. If the \
            earlier answer was the false one, because you used a reader that you no longer trust, make the store \
            forget the card. The card then proves its keys again on a reader that you trust. Its backups, transactions \
            and interrupted tasks stay.
            """)

    @Argument(help: ArgumentHelp("The card's ident, or the start of it.", valueName: "ident"))
    var ident: String

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        let ident: String
        let forgotten = true
    }

    func run() async throws {
        try options.requireSense()
        let card = try await Invocation(options, to: .tending).manager.forgetCard(named: ident)
        options.console.answer(
            Answer(ident: card.ident.text),
            ["\(card.ident) is forgotten. It will prove its keys again, like a new card."])
    }
}
