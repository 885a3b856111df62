import ArgumentParser
import TapManager
import TapProtocol

/// `tapkit store forget`: takes back what the store remembers of a card.
struct StoreForgetVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget what was seen of a card: its version and its proven keys.",
        discussion: """
            A card that contradicts what the store has seen of it fails a proof: it has a lower version, or another key at \
            a path. When it was the earlier answer that was altered, on a reader that you do not trust any more, make the \
            store forget the card, and let it prove its keys anew on a reader that you trust. Its backups, transactions and \
            unfinished flows stay.
            """)

    @Argument(help: ArgumentHelp("The card's ident, whole or the beginning of it.", valueName: "ident"))
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
            ["\(card.ident) is forgotten: it will prove its keys anew, as a card that was never seen."])
    }
}
