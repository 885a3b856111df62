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
        let wallets: [StoredWallet]
        do throws(StoreError) { wallets = try manager.wallets() } catch {
            throw Failure(error)
        }
        guard !options.isJSON else {
            JSONAnswer.write(
                Answer(
                    wallets: wallets.map {
                        .init(
                            name: TerminalText.neutralized($0.name), network: $0.network.rawValue,
                            descriptors: $0.descriptors.map { TerminalText.neutralized($0) },
                            created: $0.created.seconds)
                    }))
            return
        }
        for wallet in wallets {
            options.console.say("\(wallet.name) (\(wallet.network))")
            for descriptor in wallet.descriptors { options.console.say("  \(descriptor)") }
        }
        if wallets.isEmpty { options.console.say("There is no wallet. tapkit wallet add makes one.") }
    }
}
