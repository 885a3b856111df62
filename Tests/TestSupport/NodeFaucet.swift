import Bitcoin
import Synchronization

/// Whose coins a `BitcoinNode` mines, and who pays the tests' scripts with them.
public final class NodeFaucet: Sendable {
    /// Its key; blocks are mined for its script.
    public let key: SingleKey
    /// Those that nobody spends yet, in the order in which they are taken.
    private let coins = Mutex<[SingleKey.Coin]>([])
    /// The virtual size of a payment with change.
    private static let size: Int64 = 141
    /// What it pays for others, in satoshis for 1 000 virtual bytes.
    public static let feeRate: Int64 = 2_000

    init() throws { key = try SingleKey("faucet") }

    /// It holds too little, in one coin.
    public struct Dry: Error {}

    func add(_ more: [SingleKey.Coin]) { coins.withLock { $0 += more } }

    /// A signed payment; its output 0 is the one asked for. The change is the faucet's last coin.
    /// - Parameters:
    ///   - feeRate: in satoshis for 1 000 virtual bytes.
    ///   - place: 1 puts the change first.
    public func payment(
        to script: Script, _ amount: Amount, feeRate: Int64 = NodeFaucet.feeRate, at place: Int = 0
    ) throws -> Transaction {
        let fee = (feeRate * Self.size + 999) / 1_000
        let coin: SingleKey.Coin = try coins.withLock { coins in
            let needed = amount.satoshis + fee + 1_000
            guard let index = coins.firstIndex(where: { $0.amount.satoshis >= needed }) else { throw Dry() }
            return coins.remove(at: index)
        }
        let change = coin.amount.satoshis - amount.satoshis - fee
        let outputs = [
            TransactionOutput(amount: amount, scriptPubKey: script),
            TransactionOutput(value: change, scriptPubKey: key.script),
        ]
        let transaction = try key.spend([coin], to: place == 0 ? outputs : outputs.reversed())
        let outpoint = Outpoint(transactionID: transaction.id, index: place == 0 ? 1 : 0)
        if let change = Amount(satoshis: change) { add([SingleKey.Coin(outpoint, change)]) }
        return transaction
    }

    /// Splits coinbases' coins into many small ones.
    /// - Returns: the transaction; its outputs are the faucet's once it is sent.
    func split(_ large: [SingleKey.Coin], into count: Int) throws -> Transaction {
        let sum = large.reduce(0) { $0 + $1.amount.satoshis }
        let each = (sum - 100_000) / Int64(count)
        let outputs = Array(repeating: TransactionOutput(value: each, scriptPubKey: key.script), count: count)
        let transaction = try key.spend(large, to: outputs)
        if let amount = Amount(satoshis: each) {
            add((0..<count).map { SingleKey.Coin(Outpoint(transactionID: transaction.id, index: UInt32($0)), amount) })
        }
        return transaction
    }
}
