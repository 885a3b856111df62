import Bitcoin
import FlowSupport
import TestSupport
import Testing

/// A wallet's story on a real node: every transaction of it was taken there, and so are its blocks.
///
/// The bench's own chain keeps the book of it, so that the wallet's spends can be signed; it is not what servers tell.
struct NodeStory {
    let node: BitcoinNode
    let bench: WalletBench
    /// The wallet's coins that are not spent.
    private(set) var coins: Set<Outpoint> = []
    /// Where each transaction is that counts: `nil` while it waits.
    private(set) var heights: [TransactionID: Int?] = [:]
    /// Every spend that the wallet's keys signed, with its signatures.
    private(set) var signed: Set<[UInt8]> = []
    private var waiting: [Transaction] = []

    /// - Parameter seed: the wallet's; no two stories on one node may have the same.
    init(on node: BitcoinNode, seed: UInt8, using generator: inout SeededGenerator) async throws {
        self.node = node
        bench = try WalletBench(SampleWallet.Kind.allCases.randomElement(using: &generator) ?? .p2wpkh, seed: seed)
        for _ in 0..<Int.random(in: 2...5, using: &generator) { try await deposit(using: &generator) }
    }

    /// One more thing happens.
    mutating func goOn(using generator: inout SeededGenerator) async throws {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0, 1: try await deposit(using: &generator)
        case 2, 3, 4: try await spend(using: &generator)
        case 5: try await replace(using: &generator)
        case 6: try await mine()
        default: try await reorganize(depth: Int.random(in: 1...2, using: &generator))
        }
    }

    /// Somebody pays the wallet.
    private mutating func deposit(using generator: inout SeededGenerator) async throws {
        let script = try bench.script(
            Int.random(in: 0...1, using: &generator), UInt32.random(in: 0..<12, using: &generator))
        let amount = Int64.random(in: 20_000...90_000, using: &generator)
        let coin = try await node.fund(script, try #require(Amount(satoshis: amount)))
        take(try await node.transaction(coin.transactionID), making: [coin])
    }

    /// The wallet pays somebody, with change.
    private mutating func spend(using generator: inout SeededGenerator) async throws {
        guard let coin = coins.sorted(by: { "\($0)" < "\($1)" }).randomElement(using: &generator) else { return }
        let transaction = try spending(coin, fee: 500, using: &generator)
        guard let transaction else { return }
        try await node.send(transaction)
        take(transaction, making: [Outpoint(transactionID: transaction.id, index: 1)])
    }

    /// The last spend that waits, and that nothing builds upon, is replaced by a dearer one.
    private mutating func replace(using generator: inout SeededGenerator) async throws {
        let parents = Set(waiting.flatMap { $0.inputs.map(\.outpoint.transactionID) })
        guard let old = waiting.last(where: { signed.contains($0.serialized()) && !parents.contains($0.id) }) else {
            return
        }
        let coin = old.inputs[0].outpoint
        let fee = try value(of: coin) - old.outputs.reduce(0) { $0 + $1.value }
        guard let new = try spending(coin, fee: fee + 500, using: &generator) else { return }
        try await node.send(new)
        waiting.removeAll { $0.id == old.id }
        heights[old.id] = nil
        coins.remove(Outpoint(transactionID: old.id, index: 1))
        take(new, making: [Outpoint(transactionID: new.id, index: 1)])
    }

    private mutating func spending(
        _ coin: Outpoint, fee: Int64, using generator: inout SeededGenerator
    ) throws -> Transaction? {
        let value = try value(of: coin)
        guard value > 8_000 else { return nil }
        let change = Int64.random(in: 1_000...value / 2, using: &generator)
        let transaction = try bench.spending(
            [coin],
            [
                WalletBench.output(value - change - fee),
                WalletBench.output(change, try bench.script(1, UInt32.random(in: 0..<12, using: &generator))),
            ])
        signed.insert(transaction.serialized())
        return transaction
    }

    private func value(of coin: Outpoint) throws -> Int64 {
        try #require(bench.source.transaction(coin.transactionID)).outputs[Int(coin.index)].value
    }

    private mutating func take(_ transaction: Transaction, making made: [Outpoint]) {
        bench.source.add(transaction, height: nil)
        waiting.append(transaction)
        heights[transaction.id] = .some(nil)
        coins.subtract(transaction.inputs.map(\.outpoint))
        coins.formUnion(made)
    }

    /// A block takes all that waits.
    mutating func mine() async throws {
        try await node.mine()
        let height = try await node.height()
        for transaction in waiting { heights[transaction.id] = .some(height) }
        waiting = []
    }

    /// The last blocks go, and what they had waits again.
    private mutating func reorganize(depth: Int) async throws {
        let height = try await node.height() - depth
        let back = heights.filter { ($0.value ?? 0) > height }.map(\.key)
        try await node.reorganize(depth: depth)
        for id in back { heights[id] = .some(nil) }
        waiting = back.compactMap { bench.source.transaction($0) } + waiting
    }
}
