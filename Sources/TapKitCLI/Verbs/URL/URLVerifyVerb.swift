import AnswerDocuments
import ArgumentParser
import TapManager
import TapProtocol
import Terminal

/// `tapkit url verify`: what a tap link proves, without a card or a reader.
struct URLVerifyVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify a tap link offline.",
        discussion: """
            Text around the link is ignored. In a shell, put the link in quotes, because it contains &.

            A link proves that a key once signed its contents. It does not prove that the card is here now, that its \
            state is still the same, or that it is genuine. For that, use tapkit verify with the card.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The link, or - for standard input.", valueName: "link"))
    var link: String

    func run() async throws {
        let network = try options.network()
        try options.requireSense()
        let text = link == "-" ? try Self.standardInput() : link
        let verified = try TapLink(verifying: text)
        let address = try verified.address(on: network)
        options.console.answer(
            LinkDocument(verified, address: address), LinkText(verified, address: address).lines)
    }

    private static func standardInput() throws(Failure) -> String {
        String(decoding: try InputFile.read("-", limit: TapLink.maximumTextLength), as: UTF8.self)
    }
}
