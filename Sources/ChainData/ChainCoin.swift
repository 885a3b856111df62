import Bitcoin

/// An unspent output whose amount and script are proven by its transaction. That it is in the chain and unspent, and its
/// height, are still only the server's claims.
public struct ChainCoin: Hashable, Sendable {
    /// The id that `transaction` hashes to, and the output's index.
    public let outpoint: Outpoint
    /// Its value and script, from the transaction.
    public let output: TransactionOutput
    /// The value as an amount.
    public let amount: Amount
    /// The transaction with the output; it hashes to the outpoint's id.
    public let transaction: Transaction
    /// The height of its block; `nil` while it is unconfirmed.
    public let height: Int?

    /// Proves a claim.
    /// - Parameters:
    ///   - script: the script that the claim is for.
    ///   - transaction: the transaction that is claimed to have the output.
    /// - Throws: `.liar` when the transaction hashes to a different id, lacks the output, or has it with a different script or
    ///   amount.
    public init(proving claim: UnspentClaim, script: Script, by transaction: Transaction) throws(ChainError) {
        guard transaction.id == claim.outpoint.transactionID else {
            throw .liar("it sent a different transaction for \(claim.outpoint)")
        }
        try self.init(proving: claim, script: script, byProven: transaction)
    }

    /// The same with a transaction already known to hash to the outpoint's id, so that one with many coins is hashed once.
    init(proving claim: UnspentClaim, script: Script, byProven transaction: Transaction) throws(ChainError) {
        let outpoint = claim.outpoint
        guard transaction.outputs.indices.contains(Int(outpoint.index)) else {
            throw .liar("there is no output \(outpoint)")
        }
        output = transaction.outputs[Int(outpoint.index)]
        guard output.scriptPubKey == script else { throw .liar("\(outpoint) has a different script") }
        guard let amount = output.amount, amount == claim.amount else {
            throw .liar("\(outpoint) has \(output.value) sat, not \(claim.amount.satoshis)")
        }
        self.outpoint = outpoint
        self.amount = amount
        self.transaction = transaction
        height = claim.height
    }

    /// Whether it is a new coinbase output, which can be spent only after 100 blocks.
    public var isCoinbase: Bool { transaction.isCoinbase }
}
