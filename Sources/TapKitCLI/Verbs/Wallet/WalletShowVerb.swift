import ArgumentParser
import TapManager

/// `tapkit wallet show`: descriptors, balance and coins.
struct WalletShowVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "A wallet's descriptors, balance and coins.")

    @OptionGroup var options: GlobalOptions
    @OptionGroup var offline: OfflineOptions

    @Argument(help: "The wallet.")
    var name: String

    func run() async throws {
        let desk = try WalletDesk.openToLook(name, options)
        let hasServer = try !offline.offline && options.chainServer() != nil
        let chain = try hasServer ? await desk.chain(offline) : desk.known()
        let view = try WalletView(desk, chain)
        guard !options.isJSON else { return JSONAnswer.write(WalletDocument(view)) }
        for line in view.lines { options.console.say(line) }
    }
}
