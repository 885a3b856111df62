import Bitcoin
import ChainData
import FlowSupport
import TapManager

/// What somebody makes of a server's answers who believes them, as this program once did.
struct NaiveReading {
    /// Every transaction that a history of the wallet's names, as often as it does.
    let answer: WalletChain

    init(of story: ServerStory) throws {
        let (bench, told) = (story.bench, story.bench.source.telling)
        let places = try bench.places()
        var entries: [WalletTransaction] = []
        var used: Set<WalletPlace> = []
        for (script, place) in places {
            for entry in told.histories[script] ?? [] {
                guard let transaction = told.transactions[entry.transactionID] else { continue }
                used.insert(place)
                entries.append(
                    WalletTransaction(transaction: transaction, id: entry.transactionID, height: entry.height))
            }
        }
        // A transaction stands in the history of each of its scripts; twice in one is the server's doing.
        let mostTold =
            told.histories.values.map { history in
                Dictionary(grouping: history, by: \.transactionID).values.map(\.count).max() ?? 1
            }.max() ?? 1
        var counts: [TransactionID: Int] = [:]
        entries = entries.filter { entry in
            counts[entry.id, default: 0] += 1
            return counts[entry.id, default: 0] <= mostTold
        }
        let spent = Set(entries.flatMap { $0.transaction.inputs.map(\.outpoint) })
        let coins = entries.flatMap { entry in
            entry.transaction.outputs.enumerated().compactMap { index, output -> WalletCoin? in
                let outpoint = Outpoint(transactionID: entry.id, index: UInt32(index))
                guard let place = places[output.scriptPubKey], !spent.contains(outpoint) else { return nil }
                return WalletCoin(
                    outpoint: outpoint, output: output, place: place, height: entry.height, isCoinbase: false)
            }
        }
        answer = WalletChain(
            network: .regtest, server: "naive", height: told.height, time: UnixTime(seconds: 1), hasHistory: true,
            scripts: places.map { .init(place: $1, script: $0, isUsed: used.contains($1)) }, transactions: entries,
            coins: coins)
    }
}
