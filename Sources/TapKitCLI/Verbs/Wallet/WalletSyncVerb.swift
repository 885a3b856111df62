import ArgumentParser
import ChainData
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
        let desk = try WalletDesk.openToLook(name, options)
        let source = try options.requiredChainSource(for: desk.wallet.network, to: "ask about the wallet")
        if let waiting = try options.waiting() { try await wait(waiting, desk, source) }
        let chain = try await desk.synchronize(source, gapLimit: gapLimit)
        await source.close()
        let view = try WalletView(desk, chain)
        guard !options.isJSON else { return JSONAnswer.write(WalletDocument(view)) }
        for line in view.lines { options.console.say(line) }
    }

    /// Waits until the server tells of something new about the addresses that the wallet has and the next ones.
    private func wait(_ waiting: Patience, _ desk: WalletDesk, _ source: any ChainSource) async throws {
        let known = try desk.known()
        var scripts = known?.scripts.map(\.script) ?? []
        for branch in desk.wallet.branches {
            let next = known?.nextIndex(descriptor: branch.descriptor, branch: branch.number) ?? 0
            let count = branch.isRanged ? UInt32(gapLimit) : 1
            for index in next..<next + count { scripts.append(try desk.wallet.script(at: branch.place(index))) }
        }
        options.console.note("Waiting for \(source.name)…")
        do throws(ChainError) {
            // A day at a time; nothing depends on the length.
            while try await !source.waitForChange(of: scripts, timeout: waiting.limit ?? .seconds(86_400)) {
                // Nothing new is an answer, too.
                if waiting.limit != nil { return }
            }
        } catch { throw Failure(error) }
    }
}
