import ArgumentParser
import TapManager
import TextLayout

/// `tapkit wallet remove`: removes a wallet from the store.
struct WalletRemoveVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a wallet from the store. Its money is not affected, and the card still signs for it.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet's name.", completion: .wallets)
    var name: String

    private struct Answer: Encodable {
        let name: String
        let removed = true
    }

    func run() async throws {
        let invocation = try Invocation(options, to: .reading)
        let wallet = try invocation.walletToLook(name)
        try await invocation.manager.remove(wallet)
        invocation.console.answer(
            Answer(name: TerminalText.neutralized(name)),
            [
                "Removed. Its transactions are still stored: tapkit tx list"
            ])
    }
}
