import ArgumentParser
import TapManager

/// `tapkit wallet list`: every wallet.
struct WalletListVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Every wallet, with its balance.",
        discussion: "The balances are those that a chain server told last; tapkit wallet sync asks it again.")

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        let wallets: [WalletDocument]
    }

    func run() async throws {
        try options.requireSense()
        let invocation = try Invocation(options, to: .reading)
        let (manager, console) = (invocation.manager, invocation.console)
        let wallets = try manager.walletListings()
        console.answer(
            Answer(wallets: wallets.map(WalletDocument.init)),
            wallets.isEmpty
                ? ["There is no wallet. tapkit wallet add makes one."]
                : console.lines(WalletTable.table(wallets, now: manager.now)))
    }
}
