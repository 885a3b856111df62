import ArgumentParser
import TapManager

/// `tapkit wallet list`: every wallet.
struct WalletListVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Every wallet.")

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        struct Wallet: Encodable {
            let name: String
            let network: String
            let descriptors: [String]
            let created: Int64
        }

        let wallets: [Wallet]
    }

    func run() async throws {
        try options.requireSense()
        let manager = try Invocation(options, to: .reading).manager
        let wallets = try manager.wallets()
        options.console.answer(
            Answer(
                wallets: wallets.map {
                    .init(
                        name: TerminalText.neutralized($0.name), network: $0.network.rawValue,
                        descriptors: $0.descriptors.map { TerminalText.neutralized($0) },
                        created: $0.created.seconds)
                }),
            wallets.isEmpty
                ? ["There is no wallet. tapkit wallet add makes one."]
                : wallets.flatMap { ["\($0.name) (\($0.network))"] + $0.descriptors.map { "  \($0)" } })
    }
}
