import ArgumentParser
import TapProtocol

/// `tapkit url`: the link that a telephone would see when the card is tapped, verified before it is shown.
struct URLShowVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "The card's own tap link, verified.")

    @OptionGroup var options: GlobalOptions

    /// The answer for a card that has nothing to sign.
    private struct BareLink: Encodable {
        let url: String
        let valid = false
    }

    func run() async throws {
        let access = try await CardAccess.open(options)
        let link: CardLink
        do { link = try await access.card.perform { try $0.tapLink() } } catch { throw Failure(unexpected: error) }
        let address = try link.proven?.address.map { try access.shown($0, options) }
        guard !options.isJSON else {
            if let proven = link.proven {
                JSONAnswer.write(LinkDocument(proven, address: address, url: link.url))
            } else {
                JSONAnswer.write(BareLink(url: link.url))
            }
            return
        }
        options.console.say(link.url)
        guard let proven = link.proven else {
            options.console.note("The card has no key to sign with yet: the link proves nothing.")
            return
        }
        // No certificate was asked for: a counterfeit signs its own link, too.
        let text = LinkText(proven, address: address)
        for line in ["\(access.label): \(text.subject)"] + text.caveats { options.console.note(line) }
    }
}
