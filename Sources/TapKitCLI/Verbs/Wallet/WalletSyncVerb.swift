import AnswerDocuments
import ArgumentParser
import TapManager

/// `tapkit wallet sync`: asks the chain server about a wallet.
struct WalletSyncVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Ask the chain server about a wallet.",
        discussion: """
            The server learns every address of the wallet. Amounts are only accepted from transactions that match \
            their ids, but coins that the server hides go unnoticed. With --wait, first waits until something changes.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet's name.", completion: .wallets)
    var name: String

    @Option(help: ArgumentHelp("Stop searching after this many unused addresses in a row.", valueName: "number"))
    var gapLimit = WalletSync.usualGapLimit

    func run() async throws {
        guard (1...WalletSync.largestGapLimit).contains(gapLimit) else {
            throw Failure(.usage, "--gap-limit takes 1 to \(WalletSync.largestGapLimit).")
        }
        let invocation = try Invocation(options, to: .reading, asksChain: true)
        let (manager, wallet) = (invocation.manager, try invocation.walletToLook(name))
        let server = try manager.requireChainServer(for: .synchronize, on: wallet.wallet.network)
        if let patience = try options.waiting() {
            invocation.console.note("Waiting for \(server)…")
            try await manager.waitForChange(of: wallet, patience: patience, gapLimit: gapLimit)
        }
        let chain = try await invocation.during { try await manager.synchronize(wallet, gapLimit: gapLimit) }
        let view = try manager.overview(of: wallet, chain)
        invocation.console.answer(WalletDocument(view), WalletText(view).lines)
    }
}
