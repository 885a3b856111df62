import ArgumentParser
import TapManager

/// `tapkit wallet remove`: forgets a wallet.
struct WalletRemoveVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget a wallet. Its money stays where it is; the card still signs for it.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet.", completion: .wallets)
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
            Answer(name: TerminalText.neutralized(name)), ["Removed. Its stored transactions stay: tapkit tx list"])
    }
}
