import AnswerDocuments
import ArgumentParser
import TapManager
import TapProtocol

/// `tapkit url`: the link that a phone sees when the card is tapped, verified before it is shown.
struct URLShowVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the card's own tap link, verified.",
        discussion:
            "The link is requested with the card's command. Cards that do not support it, or all cards with --tag, "
            + "are read as an NFC tag.")

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Read the card's NFC tag, as a phone does, instead of sending the command.")
    var tag = false

    /// The answer for a card that has no key to sign with.
    private struct BareLink: Encodable {
        let url: String
        let source: String
        let valid = false
    }

    func run() async throws {
        let invocation = try Invocation(options, to: .looking, usesCVC: false)
        let card = try await invocation.card()
        let link = try await invocation.during {
            try await invocation.manager.tapLink(of: card, from: tag ? .tag : nil)
        }
        let address = try link.proven?.address.map { try card.address($0, on: invocation.network) }
        let console = invocation.console
        guard !console.isJSON else {
            if let proven = link.proven {
                JSONAnswer.write(LinkDocument(proven, address: address, card: link))
            } else {
                JSONAnswer.write(BareLink(url: link.url, source: link.source.rawValue))
            }
            return
        }
        console.say(link.url)
        guard let proven = link.proven else {
            console.note("The card has no key to sign with yet, so the link proves nothing.")
            return
        }
        // No certificate was checked: a counterfeit signs its own link, too.
        let text = LinkText(proven, address: address)
        console.note(lines: ["\(card.label): \(text.subject(namesCard: false))"] + text.caveats)
    }
}
