import AnswerDocuments
import ArgumentParser
import TapManager

/// `tapkit wallet show`: descriptors, balance and coins.
struct WalletShowVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a wallet's descriptors, balance and coins.")

    @OptionGroup var options: GlobalOptions
    @OptionGroup var offline: OfflineOptions

    @Argument(help: "The wallet's name.", completion: .wallets)
    var name: String

    func run() async throws {
        let invocation = try Invocation(options, to: .reading, asksChain: !offline.offline)
        let wallet = try invocation.walletToLook(name)
        let chain = try await invocation.during { try await invocation.manager.currentChain(of: wallet) }
        let view = try invocation.manager.overview(of: wallet, chain)
        let reminder = invocation.manager.isDrillDue(of: wallet.stored) ? [wallet.stored.dueDrillWords] : []
        invocation.console.answer(WalletDocument(view), WalletText(view).lines + reminder.map { "  \($0)" })
    }
}
