import AnswerDocuments
import ArgumentParser
import TapManager

/// `tapkit wallet remove`: removes a wallet from the store.
struct WalletRemoveVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a wallet from the store. Its money is not affected, and the card still signs for it.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet's name.", completion: .wallets)
    var name: String

    func run() async throws {
        let invocation = try Invocation(options, to: .reading)
        let wallet = try invocation.manager.walletToRemove(named: name, on: invocation.network)
        try await invocation.manager.remove(wallet)
        invocation.console.answer(
            RemovedWalletDocument(wallet),
            [
                "Removed. Its transactions are still stored: tapkit tx list"
            ])
    }
}
