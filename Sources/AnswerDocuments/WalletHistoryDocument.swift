import Bitcoin
import TapManager
import TextLayout

/// What a wallet received and spent.
package struct WalletHistoryDocument: Encodable {
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
        /// What the wallet holds after it, unconfirmed money included; absent if the history has gaps.
        let balanceSat: Int64?
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

    /// A history as a server reports it.
    package init(_ history: WalletHistory, _ chain: WalletChain, _ view: WalletOverview) {
        name = TerminalText.neutralized(view.wallet.name)
        transactions = history.entries.enumerated().map { number, entry in
            Entry(
                txid: entry.id.description, height: entry.height, confirmed: entry.height != nil,
                confirmations: chain.confirmations(at: entry.height), time: entry.time?.seconds,
                timeAt: entry.time?.iso8601, receivedSat: entry.received.satoshis,
                spentSat: entry.spent.satoshis, netSat: entry.net,
                balanceSat: history.balances?[number].satoshis, feeSat: entry.fee?.satoshis,
                payees: view.payees(of: entry).map(\.description),
                label: view.label(of: entry).map { TerminalText.neutralized($0) })
        }
        height = chain.height
        server = TerminalText.neutralized(chain.server)
        knowsHistory = chain.hasHistory
    }
}

extension WalletOverview {
    /// The addresses that a transaction pays.
    package func payees(of entry: WalletHistory.Entry) -> [Address] { entry.payees.compactMap(address) }

    /// The user's label for a transaction or, if there is none, for an address that it pays; exactly as written.
    package func label(of entry: WalletHistory.Entry) -> String? {
        label(of: entry.id) ?? payees(of: entry).lazy.compactMap { labels.of($0) }.first
    }

    /// The address of a script; `nil`: it has none.
    package func address(of script: Script) -> Address? { Address(scriptPubKey: script, network: wallet.network) }
}
