import AnswerDocuments
import ArgumentParser
import TapManager
import TextLayout

/// `tapkit wallet list`: every wallet.
struct WalletListVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List all wallets with their balances.",
        discussion: "The balances are those last reported by a chain server; update them with tapkit wallet sync.")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try options.requireSense()
        let invocation = try Invocation(options, to: .reading)
        let (manager, console) = (invocation.manager, invocation.console)
        let wallets = try manager.walletListings()
        console.answer(
            WalletsDocument(wallets),
            wallets.isEmpty
                ? ["There are no wallets. Add one with tapkit wallet add."]
                : console.lines(WalletTable.table(wallets, now: manager.now)) + warnings(of: wallets)
                    + wallets.map(\.stored).filter(manager.isDrillDue).map(\.dueDrillWords))
    }

    private func warnings(of wallets: [ManagerSnapshot.Wallet]) -> [String] {
        wallets.compactMap(\.stored.alteration).map { "WARNING: \(TerminalText.neutralized($0.message))" }
    }
}
