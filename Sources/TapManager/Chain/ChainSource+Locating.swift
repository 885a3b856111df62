import Bitcoin
import ChainData

extension ChainSource {
    /// Asks where stored transactions are in the chain, all at once. They may leave no coin to any wallet, and servers
    /// without histories do not report what is spent.
    /// - Returns: those that the server can tell of, as stored, with their signatures and the heights that the server
    ///   claims; without those that are not complete.
    func located(_ stored: [StoredTransaction]) async throws(ChainError) -> [WalletTransaction] {
        let complete = stored.compactMap { stored -> (transaction: Transaction, sought: SoughtTransaction)? in
            guard let transaction = SigningResult(stored.psbt, added: 0).transaction else { return nil }
            // The owner's addresses have fewer transactions than, perhaps, the payee's.
            let spent = stored.psbt.inputs.indices.lazy.compactMap { try? stored.psbt.spentOutput(ofInput: $0) }.first
            guard let output = spent ?? transaction.outputs.first else { return nil }
            return (transaction, SoughtTransaction(transaction, script: output.scriptPubKey))
        }
        guard !complete.isEmpty else { return [] }
        let heights = try await heights(of: complete.map(\.sought))
        return complete.compactMap { transaction, sought in
            heights[sought.id].map { WalletTransaction(transaction: transaction, id: sought.id, height: $0) }
        }
    }
}
