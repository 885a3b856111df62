import ArgumentParser
import TapManager

/// `tapkit export`: what wallets import to watch the card's account.
struct ExportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "What wallets import to watch the card's account: descriptors.")

    /// The formats there are.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        /// Output descriptors with origin, multipath and checksum, one a line.
        case descriptors
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: "descriptors")
    var format: Format

    private struct Answer: Encodable {
        let descriptors: [String]
        let fingerprint: String
        let path: String
        let xpub: String
    }

    func run() async throws {
        let card = try await UnlockedCard.open(options, for: .asking, task: "show an xpub")
        let account = try await card.account()
        options.remember(card.access.status, fingerprint: account.masterFingerprint)
        let descriptors = DescriptorExport(account).descriptors
        guard !options.isJSON else {
            JSONAnswer.write(
                Answer(
                    descriptors: descriptors, fingerprint: account.masterFingerprint.description,
                    path: account.path.description, xpub: account.key.text))
            return
        }
        for descriptor in descriptors { options.console.say(descriptor) }
    }
}
