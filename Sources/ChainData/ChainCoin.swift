import Bitcoin

/// An unspent output whose amount and script are proven by its transaction. That it exists in the chain, is unspent, and
/// its height are still the server's word.
public struct ChainCoin: Hashable, Sendable {
    /// The output's place: the id that `transaction` hashes to, and the number in it.
    public let outpoint: Outpoint
    /// Its value and script, from the transaction.
    public let output: TransactionOutput
    /// The value as money.
    public let amount: Amount
    /// The transaction that has the output; it hashes to the outpoint's id.
    public let transaction: Transaction
    /// The height of its block; `nil` while it waits for one.
    public let height: Int?

    /// Proves a claim.
    /// - Parameters:
    ///   - script: the script that the claim is for.
    ///   - transaction: the one that is said to have the output.
    /// - Throws: `.liar` when the transaction hashes to another id, has no such output, or one with another script or
    ///   amount.
    public init(proving claim: UnspentClaim, script: Script, by transaction: Transaction) throws(ChainError) {
        guard transaction.id == claim.outpoint.transactionID else {
            throw .liar("another transaction than \(claim.outpoint)")
        }
        try self.init(proving: claim, script: script, byProven: transaction)
    }

    /// The same by a transaction that is known to hash to the outpoint's id: one with many coins is hashed once.
    init(proving claim: UnspentClaim, script: Script, byProven transaction: Transaction) throws(ChainError) {
        let outpoint = claim.outpoint
        guard transaction.outputs.indices.contains(Int(outpoint.index)) else {
            throw .liar("there is no output \(outpoint)")
        }
        output = transaction.outputs[Int(outpoint.index)]
        guard output.scriptPubKey == script else { throw .liar("\(outpoint) has another script") }
        guard let amount = output.amount, amount == claim.amount else {
            throw .liar("\(outpoint) has \(output.value) sat, not \(claim.amount.satoshis)")
        }
        self.outpoint = outpoint
        self.amount = amount
        self.transaction = transaction
        height = claim.height
    }

    /// Whether it is newly mined, and can be spent only 100 blocks later.
    public var isCoinbase: Bool { transaction.isCoinbase }
}
