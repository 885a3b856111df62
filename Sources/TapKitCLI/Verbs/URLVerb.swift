import ArgumentParser
import TapManager
import TapProtocol

/// `tapkit url`: the link that a telephone would see when the card is tapped.
struct URLVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url", abstract: "The card's tap link, as a telephone would see it.")

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        let url: String
    }

    func run() async throws {
        let access = try await CardAccess.open(options)
        let url: String
        do { url = try await access.card.perform { try $0.tapURL() } } catch { throw Failure(unexpected: error) }
        if options.isJSON { JSONAnswer.write(Answer(url: url)) } else { options.console.say(url) }
    }
}
