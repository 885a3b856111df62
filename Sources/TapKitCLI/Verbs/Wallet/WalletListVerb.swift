import ArgumentParser
import TapManager

/// `tapkit wallet list`: every wallet.
struct WalletListVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Every wallet.")

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        let wallets: [WalletDocument]
    }

    func run() async throws {
        try options.requireSense()
        let manager = try Invocation(options, to: .reading).manager
        let wallets = try manager.wallets()
        options.console.answer(
            Answer(wallets: wallets.map(WalletDocument.init)),
            wallets.isEmpty
                ? ["There is no wallet. tapkit wallet add makes one."]
                : wallets.flatMap { ["\($0.name) (\($0.network))"] + $0.descriptors.map { "  \($0)" } })
    }
}
