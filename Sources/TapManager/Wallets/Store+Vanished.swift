import Bitcoin

extension Store {
    /// Stores payments that a chain server once reported deep in the chain and no longer reports, if they are not
    /// stored. They are stored as sent, so that their coins are not spent, and nobody is paid twice by mistake. The user
    /// can delete them.
    ///
    /// Only if the wallet's keys alone signed them, and nothing reported now conflicts with them.
    /// - Parameters:
    ///   - known: the earlier answer.
    ///   - chain: the new one.
    /// - Returns: the transactions that were stored.
    package func restoreVanished(
        of wallet: WatchWallet, from known: WalletChain, by chain: WalletChain, at time: UnixTime
    ) throws(StoreError) -> [TransactionID] {
        guard known.hasHistory, known.areSpendsProven, chain.hasHistory, known.network == chain.network else {
            return []
        }
        let told = Set(chain.transactions.map(\.id))
        let spent = Set(chain.transactions.lazy.flatMap { $0.transaction.inputs.map(\.outpoint) })
        let scripts = Set(known.scripts.map(\.script))
        let before = ToldTransactions(known)
        var restored: [TransactionID] = []
        for entry in known.transactions {
            guard let height = entry.height, entry.isDeep(atHeight: known.height), !told.contains(entry.id),
                entry.transaction.inputs.allSatisfy({ input in
                    let output = before.output(input.outpoint)
                    return output.map { scripts.contains($0.scriptPubKey) } ?? false && !spent.contains(input.outpoint)
                }), let psbt = Self.psbt(of: entry.transaction, spending: before)
            else { continue }
            let stored = StoredTransaction(
                psbt: psbt, network: known.network, wallet: wallet.name,
                note: "was in block \(height), according to \(known.server)", created: time, updated: time, sent: time)
            do throws(StoreError) { try create(stored, replacing: nil) } catch {
                // It is stored already, or another one with its coins is.
                if case .coinsTaken = error { continue }
                throw error
            }
            restored.append(stored.id)
        }
        return restored
    }

    /// A signed transaction as a PSBT, with the outputs it spends.
    private static func psbt(of transaction: Transaction, spending told: ToldTransactions) -> PSBT? {
        guard var psbt = try? PSBT(unsignedTransaction: transaction.withoutSignatures) else { return nil }
        for (index, input) in transaction.inputs.enumerated() {
            guard let parent = told[input.outpoint.transactionID], let previous = try? PreviousTransaction(parent)
            else {
                return nil
            }
            psbt[input: index].nonWitnessUTXO = previous
            if !input.scriptSig.isEmpty { psbt[input: index].finalScriptSig = input.scriptSig }
            if !input.witness.isEmpty {
                psbt[input: index].finalWitness = input.witness
                psbt[input: index].witnessUTXO = told.output(input.outpoint)
            }
        }
        return psbt
    }
}
