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
        let invocation = try Invocation(options, to: .reading)
        let wallet = try invocation.walletToLook(name)
        let source = try invocation.source(for: wallet, offline)
        let chain =
            try source == nil ? invocation.lastChain(of: wallet) : await invocation.chain(of: wallet, from: source)
        let view = try invocation.overview(of: wallet, chain)
        guard !options.isJSON else { return JSONAnswer.write(WalletDocument(view)) }
        for line in WalletText(view).lines { options.console.say(line) }
    }
}
