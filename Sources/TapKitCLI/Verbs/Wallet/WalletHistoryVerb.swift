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

    private struct Answer: Encodable {
        struct Entry: Encodable {
            let txid: String
            let height: Int?
            let confirmed: Bool
            let confirmations: Int
            /// The time of its block, in seconds since 1970, as reported by the server.
            let time: Int64?
            /// The same as ISO 8601.
            let timeAt: String?
            let receivedSat: Int64
            let spentSat: Int64
            let netSat: Int64
            let feeSat: Int64?
            /// Others' addresses if it spends the wallet's coins; otherwise the wallet's own addresses that it pays.
            let payees: [String]
            let label: String?
        }

        let name: String
        let transactions: [Entry]
        let height: Int
        let server: String
        let knowsHistory: Bool
    }

    func run() async throws {
        guard !csv || !options.isJSON else { throw Failure(.usage, "--csv and --json cannot be used together.") }
        let invocation = try Invocation(options, to: .reading, asksChain: !offline.offline)
        let (manager, console) = (invocation.manager, invocation.console)
        let wallet = try invocation.walletToLook(name)
        let chain = try await invocation.chain(of: wallet)
        let view = try manager.overview(of: wallet, chain)
        let entries = WalletHistory(chain).entries
        let text = HistoryText(entries, chain, view)
        let gaps = "This server does not report what was spent: the history has gaps."
        let remarks = [WalletText.age(of: chain) + "."] + (chain.hasHistory ? [] : [gaps])
        guard !csv else {
            Console.write(text.csv, to: STDOUT_FILENO)
            return console.note(lines: remarks)
        }
        console.answer(
            Answer(
                name: TerminalText.neutralized(wallet.wallet.name),
                transactions: entries.map { entry in
                    .init(
                        txid: entry.id.description, height: entry.height, confirmed: entry.height != nil,
                        confirmations: chain.confirmations(at: entry.height), time: entry.time?.seconds,
                        timeAt: entry.time?.iso8601, receivedSat: entry.received.satoshis,
                        spentSat: entry.spent.satoshis, netSat: entry.net, feeSat: entry.fee?.satoshis,
                        payees: text.addresses(entry), label: text.label(entry).map { TerminalText.neutralized($0) })
                }, height: chain.height, server: TerminalText.neutralized(chain.server),
                knowsHistory: chain.hasHistory),
            entries.isEmpty ? ["Nothing yet."] : console.lines(text.table), remarks: remarks)
    }
}
