import Bitcoin
import ChainData

/// Where a server says that stored transactions are. They are as stored, with their signatures.
package struct LocatedTransactions: Sendable {
    /// Those that the server has, in a block or in none yet.
    package private(set) var known: [WalletTransaction] = []
    /// Those that are in no block, and that the server does not have, either: nobody needs to have given it to one.
    package private(set) var absent: [WalletTransaction] = []

    /// None.
    package init() {}

    var isEmpty: Bool { known.isEmpty && absent.isEmpty }

    fileprivate mutating func add(_ transaction: Transaction, _ id: TransactionID, at height: TransactionHeight) {
        let entry = WalletTransaction(transaction: transaction, id: id, height: height.height)
        if height == .absent { absent.append(entry) } else { known.append(entry) }
    }
}

extension ChainSource {
    /// Asks where stored transactions are in the chain, all at once. They may leave no coin to any wallet, and servers
    /// without histories do not report what is spent.
    /// - Returns: those that the server can tell of. What is signed in part may have been completed by others: it is asked
    ///   about if its id does not depend on the missing signatures.
    func located(_ stored: [StoredTransaction]) async throws(ChainError) -> LocatedTransactions {
        let complete = stored.compactMap { stored -> (transaction: Transaction, sought: SoughtTransaction)? in
            guard let transaction = stored.psbt.transactionOfKnownID else { return nil }
            // The owner's addresses have fewer transactions than, perhaps, the payee's.
            let spent = stored.psbt.inputs.indices.lazy.compactMap { try? stored.psbt.spentOutput(ofInput: $0) }.first
            guard let output = spent ?? transaction.outputs.first else { return nil }
            return (transaction, SoughtTransaction(transaction, script: output.scriptPubKey))
        }
        var located = LocatedTransactions()
        guard !complete.isEmpty else { return located }
        let heights = try await heights(of: complete.map(\.sought))
        for (transaction, sought) in complete {
            if let height = heights[sought.id] { located.add(transaction, sought.id, at: height) }
        }
        return located
    }
}

extension PSBT {
    /// The transaction, if every signature exists; else, if it has a signature and spends only native segwit, without
    /// signatures, which its id does not cover. That proves no spend, so that it is believed to replace nothing.
    fileprivate var transactionOfKnownID: Transaction? {
        if let transaction = SigningResult(self, added: 0).transaction { return transaction }
        let isKnown =
            isSigned
            && inputs.indices.allSatisfy { (try? spentOutput(ofInput: $0))?.scriptPubKey.witnessProgram != nil }
        return isKnown ? unsignedTransaction : nil
    }
}
