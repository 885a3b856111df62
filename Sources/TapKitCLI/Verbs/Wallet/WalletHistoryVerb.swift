import AnswerDocuments
import ArgumentParser
import Bitcoin
import Glibc
import TapManager
import Terminal
import TextLayout

/// `tapkit wallet history`: what a wallet received and spent.
struct WalletHistoryVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show what a wallet received and spent, as reported by the chain server.",
        discussion: """
            Dates are those of the blocks, in UTC. --csv writes a table for other programs, with amounts in satoshis; \
            a label that a spreadsheet would interpret as a formula is preceded by an apostrophe.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var offline: OfflineOptions

    @Argument(help: "The wallet's name.", completion: .wallets)
    var name: String

    @Flag(help: "Write a CSV table for other programs (RFC 4180).")
    var csv = false

    func run() async throws {
        guard !csv || !options.isJSON else { throw Failure(.usage, "--csv and --json cannot be used together.") }
        let invocation = try Invocation(options, to: .reading, asksChain: !offline.offline)
        let (manager, console) = (invocation.manager, invocation.console)
        let wallet = try invocation.walletToLook(name)
        let chain = try await invocation.chain(of: wallet)
        let view = try manager.overview(of: wallet, chain)
        let history = WalletHistory(chain)
        let entries = history.entries
        let text = HistoryText(entries, chain, view)
        let gaps = "This server does not report what was spent: the history has gaps."
        let remarks = [WalletText.age(of: chain) + "."] + (chain.hasHistory ? [] : [gaps])
        guard !csv else {
            Console.write(text.csv, to: STDOUT_FILENO)
            return console.note(lines: remarks)
        }
        console.answer(
            WalletHistoryDocument(history, chain, view),
            entries.isEmpty ? ["Nothing yet."] : console.lines(text.table), remarks: remarks)
    }
}
