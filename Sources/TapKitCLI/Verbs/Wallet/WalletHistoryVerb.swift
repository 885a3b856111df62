import ArgumentParser
import Bitcoin
import TapManager

/// `tapkit wallet history`: what a wallet received and spent.
struct WalletHistoryVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "What a wallet received and spent, as the chain server tells it.")

    @OptionGroup var options: GlobalOptions
    @OptionGroup var offline: OfflineOptions

    @Argument(help: "The wallet.", completion: .wallets)
    var name: String

    private struct Answer: Encodable {
        struct Entry: Encodable {
            let txid: String
            let height: Int?
            let confirmed: Bool
            let confirmations: Int
            let receivedSat: Int64
            let spentSat: Int64
            let netSat: Int64
            let feeSat: Int64?
            let label: String?
        }

        let name: String
        let transactions: [Entry]
        let height: Int
        let server: String
        let knowsHistory: Bool
    }

    func run() async throws {
        let invocation = try Invocation(options, to: .reading, asksChain: !offline.offline)
        let wallet = try invocation.walletToLook(name)
        let chain = try await invocation.chain(of: wallet)
        let view = try invocation.manager.overview(of: wallet, chain)
        let entries = WalletHistory(chain).entries
        let gaps = "This server does not tell what was spent: the history has gaps."
        invocation.console.answer(
            Answer(
                name: TerminalText.neutralized(wallet.wallet.name),
                transactions: entries.map { entry in
                    .init(
                        txid: entry.id.description, height: entry.height, confirmed: entry.height != nil,
                        confirmations: chain.confirmations(at: entry.height), receivedSat: entry.received.satoshis,
                        spentSat: entry.spent.satoshis, netSat: entry.net, feeSat: entry.fee?.satoshis,
                        label: view.label(of: entry.id).map { TerminalText.neutralized($0) })
                }, height: chain.height, server: TerminalText.neutralized(chain.server),
                knowsHistory: chain.hasHistory),
            entries.isEmpty
                ? ["Nothing yet."]
                : entries.flatMap { Self.lines($0, chain, label: view.label(of: $0.id)) },
            remarks: [WalletText.age(of: chain) + "."] + (chain.hasHistory ? [] : [gaps]))
    }

    private static func lines(_ entry: WalletHistory.Entry, _ chain: WalletChain, label: String?) -> [String] {
        let amount = Amount(satoshis: abs(entry.net)).map(\.description) ?? "?"
        var parts = [(entry.net < 0 ? "- " : "+ ") + amount]
        let count = chain.confirmations(at: entry.height)
        parts.append(
            entry.height.map { "height \($0), \(count.counted("confirmation"))" } ?? "unconfirmed")
        if let fee = entry.fee { parts.append("fee \(fee.satoshis) sat") }
        if let label { parts.append("“\(label)”") }
        return [parts.joined(separator: " · "), "    \(entry.id)"]
    }
}
