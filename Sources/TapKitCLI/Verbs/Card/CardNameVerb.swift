import ArgumentParser
import TapManager
import TapProtocol

/// `tapkit card name`: a name for a card.
struct CardNameVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "name", abstract: "Give a card a name, or remove it.",
        discussion: """
            The name is kept in the local store and shown next to the card's ident. It proves nothing: compare the \
            ident with the one on the back of the card. The store knows every card that was on a reader before. Without \
            an ident, the card on the reader is meant.
            """)

    @Argument(help: ArgumentHelp("The card's ident, or the start of it.", valueName: "ident"))
    var ident: String?

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
        let words = [ident, name].compactMap(\.self)
        guard remove ? words.count < 2 : !words.isEmpty else {
            throw Failure(.usage, "Give a name, or --remove to remove it.")
        }
        let card =
            if let ident, remove || name != nil {
                try Invocation(options, to: .tending).manager.nameCard(ident, name)
            } else {
                try await nameCardAtHand(ident)
            }
        options.console.answer(
            Answer(ident: card.ident.text, name: card.shownName),
            [card.shownName.map { "\(card.ident) is now called “\($0)”." } ?? "\(card.ident) now has no name."])
    }

    /// Names the card on the reader, which the store remembers once it is proven.
    private func nameCardAtHand(_ name: String?) async throws -> CardRecord {
        let invocation = try Invocation(options, usesCVC: false)
        let manager = invocation.manager
        if let name, try manager.isRememberedIdent(name) {
            throw Failure(.usage, "“\(name)” is a card's ident. Give a name, or --remove to remove it.")
        }
        let card = try await invocation.card()
        _ = try await manager.prove(card)
        return try manager.nameCard(card.ident.text, name)
    }
}
