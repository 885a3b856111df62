import ArgumentParser
import Bitcoin
import TapProtocol

/// `tapkit url verify`: what a tap link proves, without a card or a reader.
struct URLVerifyVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify a tap link offline.",
        discussion: """
            The text around the link does no harm. In a shell, put it in quotes, because of the & in it.

            A link proves that a key once said something. It does not prove that the card is here now, that its state is \
            still the same, or that it is genuine: tapkit verify, with the card, does.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The link, or - for standard input.", valueName: "link"))
    var link: String

    func run() async throws {
        let network = try options.network()
        try options.requireSense()
        let text = link == "-" ? try Self.standardInput() : link
        let verified = try TapLink(verifying: text)
        let address = try verified.address.map { try Self.shown($0, network) }
        options.console.answer(
            LinkDocument(verified, address: address), LinkText(verified, address: address).lines)
    }

    /// The address for the network that was asked for; the test networks share their keys.
    private static func shown(_ address: Address, _ network: Network?) throws(Failure) -> Address {
        guard let network else { return address }
        guard network.keyNetwork == address.network.keyNetwork,
            let shown = Address(scriptPubKey: address.scriptPubKey, network: network)
        else {
            let own = address.network == .main ? "bitcoin" : "the test networks"
            throw Failure(
                .wrongNetwork, "The link's address is for \(own), not for \(network).",
                hint: "Leave --network (and TAPKIT_NETWORK) out to go by the link itself.")
        }
        return shown
    }

    private static func standardInput() throws(Failure) -> String {
        String(decoding: try InputFile.read("-", limit: TapLink.maximumTextLength), as: UTF8.self)
    }
}
