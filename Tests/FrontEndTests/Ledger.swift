import TapManager

/// A chain of its own, in memory: whatever is sent is in a block at once.
actor Ledger: ChainSource {
    nonisolated let name = "ledger"
    nonisolated let network = Network.regtest
    nonisolated let features: Set<ChainFeature> = [.histories]
    private var transactions: [Transaction] = []
    private var height = 100

    /// Pays an address out of nothing.
    func pay(_ address: Address, _ satoshis: Int64) {
        height += 1
        let earlier = Transaction(inputs: [], outputs: [], lockTime: UInt32(height))
        transactions.append(
            Transaction(
                inputs: [TransactionInput(outpoint: Outpoint(transactionID: earlier.id, index: 0))],
                outputs: [TransactionOutput(value: satoshis, scriptPubKey: address.scriptPubKey)]))
    }

    func tip() -> ChainTip { ChainTip(height: height) }

    func histories(of scripts: [Script]) -> [[HistoryEntry]] {
        let paid = coins
        return scripts.map { script in
            transactions.filter { transaction in
                transaction.outputs.contains { $0.scriptPubKey == script }
                    || transaction.inputs.contains { paid[$0.outpoint]?.scriptPubKey == script }
            }.map { HistoryEntry(transactionID: $0.id, height: height) }
        }
    }

    func unspent(of scripts: [Script]) -> [[UnspentClaim]] {
        let spent = Set(transactions.flatMap { $0.inputs.map(\.outpoint) })
        let open = coins.filter { !spent.contains($0.key) }
        return scripts.map { script in
            open.filter { $0.value.scriptPubKey == script }.compactMap { outpoint, output in
                output.amount.map { UnspentClaim(outpoint: outpoint, amount: $0, height: height) }
            }
        }
    }

    func transactions(_ ids: [TransactionID]) -> [TransactionID: Transaction] {
        Dictionary(uniqueKeysWithValues: transactions.filter { ids.contains($0.id) }.map { ($0.id, $0) })
    }

    func broadcast(_ transaction: Transaction) -> TransactionID {
        height += 1
        transactions.append(transaction)
        return transaction.id
    }

    func feeRate(targetBlocks: Int) -> FeeRate? { FeeRate(satoshisPerKiloVirtualByte: 2_000) }
    func minimumFeeRate() -> FeeRate { .relay }
    func waitForChange(of scripts: [Script], timeout: Duration) -> Bool { false }
    func close() {}

    /// Every output that there ever was.
    private var coins: [Outpoint: TransactionOutput] {
        var coins: [Outpoint: TransactionOutput] = [:]
        for transaction in transactions {
            for (index, output) in transaction.outputs.enumerated() {
                coins[Outpoint(transactionID: transaction.id, index: UInt32(index))] = output
            }
        }
        return coins
    }
}
