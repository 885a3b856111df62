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
            try source == nil
            ? invocation.manager.lastChain(of: wallet) : await invocation.chain(of: wallet, from: source)
        let view = try invocation.manager.overview(of: wallet, chain)
        invocation.console.answer(WalletDocument(view), WalletText(view).lines)
    }
}
