import Bitcoin

/// A transaction that involves a script, as claimed by a server.
public struct HistoryEntry: Hashable, Sendable {
    /// The id that the transaction must hash to once it is fetched.
    public let transactionID: TransactionID
    /// The height of its block; `nil` while it is unconfirmed.
    public let height: Int?

    /// - Parameter height: the height of the transaction's block, counted from 0; `nil` while it is unconfirmed.
    public init(transactionID: TransactionID, height: Int?) {
        self.transactionID = transactionID
        self.height = height
    }
}

/// An unspent output, as claimed by a server: nothing here is proven. `ChainSource.coins` proves amount and script.
public struct UnspentClaim: Hashable, Sendable {
    /// The claimed transaction, and the output's index in it.
    public let outpoint: Outpoint
    /// The claimed amount, 0…21 000 000 BTC.
    public let amount: Amount
    /// The height of its block; `nil` while it is unconfirmed.
    public let height: Int?

    /// - Parameter height: the height of the transaction's block, counted from 0; `nil` while it is unconfirmed.
    public init(outpoint: Outpoint, amount: Amount, height: Int?) {
        self.outpoint = outpoint
        self.amount = amount
        self.height = height
    }
}

/// A transaction that is looked for in the chain, with all that some server needs to find it.
public struct SoughtTransaction: Hashable, Sendable {
    /// The id, with signatures.
    public let id: TransactionID
    /// How many outputs it has: servers that only know unspent outputs find it by one of them.
    public let outputCount: Int
    /// A coin that it spends: as long as that is unspent, the transaction is in no block. `nil` if it spends none.
    public let coin: Outpoint?
    /// A script that it pays or spends from: servers with histories find it in the script's. Best one with few transactions.
    public let script: Script

    /// - Parameter script: one that the transaction pays or spends from.
    public init(_ transaction: Transaction, script: Script) {
        id = transaction.id
        outputCount = transaction.outputs.count
        coin = transaction.inputs.first?.outpoint
        self.script = script
    }
}

/// Where a transaction is in the chain, as claimed by a server.
public enum TransactionHeight: Hashable, Sendable {
    /// In a block of this height, counted from 0.
    case block(Int)
    /// In no block; the server has it, or had it.
    case waiting
    /// In no block, and the server does not have it, either: nobody needs to have given it to one.
    case absent

    /// Of a transaction that the server has.
    /// - Parameter height: its block's; `nil` while it is in none.
    public init(known height: Int?) { self = height.map { .block($0) } ?? .waiting }

    /// The height of its block; `nil`: it is in none.
    public var height: Int? { if case .block(let height) = self { height } else { nil } }
}
