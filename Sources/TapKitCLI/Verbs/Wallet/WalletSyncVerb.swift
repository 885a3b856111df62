import ArgumentParser
import TapManager

/// `tapkit wallet sync`: asks the chain server about a wallet.
struct WalletSyncVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Ask the chain server about a wallet.",
        discussion: """
            The server learns every address of the wallet. Amounts are believed only from transactions that hash to \
            their id; what a server keeps quiet about is not noticed. With --wait: first wait until something changes.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet.")
    var name: String

    @Option(help: ArgumentHelp("How many unused addresses in a row end the search.", valueName: "number"))
    var gapLimit = WalletSync.usualGapLimit

    private static let largestGapLimit = 10_000

    func run() async throws {
        guard (1...Self.largestGapLimit).contains(gapLimit) else {
            throw Failure(.usage, "--gap-limit is 1 to \(Self.largestGapLimit).")
        }
        let invocation = try Invocation(options, to: .reading)
        let (manager, wallet) = (invocation.manager, try invocation.walletToLook(name))
        let source = try options.requiredChainSource(for: wallet.wallet.network, to: "ask about the wallet")
        if let patience = try options.waiting() {
            options.console.note("Waiting for \(source.name)…")
            do {
                try await manager.waitForChange(of: wallet, at: source, patience: patience, gapLimit: gapLimit)
            } catch { throw Failure(unexpected: error) }
        }
        let chain = try await invocation.during {
            try await manager.synchronize(wallet, with: source, gapLimit: gapLimit)
        }
        await source.close()
        let view = try invocation.overview(of: wallet, chain)
        guard !options.isJSON else { return JSONAnswer.write(WalletDocument(view)) }
        for line in WalletText(view).lines { options.console.say(line) }
    }
}
