import Bitcoin
import ChainData
import FlowSupport
import Synchronization
import TapManager
import TestSupport
import Testing

/// Servers that name transactions where they do not belong: to move a wallet's addresses out of reach, or to fill the store.
@Suite struct HistoryClaimTests {
    @Test func whatDoesNotTouchAnAddressDoesNotMarkItUsed() async throws {
        let bench = try WalletBench()
        let paid = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let foreign = try bench.source.pay(WalletBench.stranger, 5_000, salt: 2)
        for index in 0..<200 {
            bench.source.claim(foreign.transactionID, for: try bench.script(0, UInt32(index)), height: 100)
            bench.source.claim(paid.transactionID, for: try bench.script(1, UInt32(index)), height: 100)
        }
        let chain = try await bench.chain()
        #expect(chain.nextIndex(descriptor: 0, branch: 0) == 1)
        #expect(chain.nextIndex(descriptor: 0, branch: 1) == 0)
        #expect(chain.scripts.count == 1)
        // Nothing of it is stored.
        #expect(chain.transactions.map(\.id) == [paid.transactionID])
    }

    /// A spend touches the script that it spends from, in whatever order a server tells of the two.
    @Test func spendsTouchWhatTheySpend() async throws {
        let bench = try WalletBench()
        let script = try bench.script(0, 3)
        let coin = try bench.source.pay(script, 10_000, salt: 1)
        let spend = try bench.spending([coin], [WalletBench.output(9_000)])
        bench.source.claim(spend.id, for: script, height: 120)
        bench.source.add(spend, height: 120)
        #expect(try await bench.chain().transactions.map(\.id) == [coin.transactionID, spend.id])
        // Without what it spends nobody can tell that it touches the wallet.
        bench.source.withhold(coin.transactionID)
        #expect(try await bench.chain().transactions.isEmpty)
    }

    @Test func whatIsKnownIsEnoughToSeeWhatASpendTouches() async throws {
        let bench = try WalletBench()
        let coin = try bench.source.pay(bench.script(0, 3), 10_000, salt: 1)
        let known = try await bench.chain()
        bench.source.add(
            Transaction(inputs: [TransactionInput(outpoint: coin)], outputs: [WalletBench.output(9_000)]), height: 120)
        bench.source.withhold(coin.transactionID)
        await #expect(throws: WalletError.self) { try await bench.chain(known: known) }
    }

    @Test func whatConcernsTheWalletIsBounded() async throws {
        let bench = try WalletBench()
        for salt in 0..<10 { try bench.source.pay(bench.script(0, UInt32(salt)), 1_000, salt: UInt32(salt)) }
        let size = try SampleWallet.funding(bench.script(0, 0), amount: 1_000, salt: 0).serialized().count
        func chain(limit: Int, known: WalletChain? = nil) async throws -> WalletChain {
            try await WalletSync(bench.wallet, source: bench.source, limit: limit)
                .run(known: known, at: UnixTime(seconds: 1))
        }
        let all = try await chain(limit: 10 * size)
        #expect(all.transactions.count == 10)
        let refusal = WalletError.chain(.tooLarge(limit: 10 * size - 1, of: .wallet))
        await #expect(throws: refusal) { try await chain(limit: 10 * size - 1) }
        // What was kept before counts if it is named again, and what does not concern the wallet does not.
        for salt in 20..<60 {
            let foreign = try bench.source.pay(WalletBench.stranger, 1_000, salt: UInt32(salt))
            bench.source.claim(foreign.transactionID, for: try bench.script(0, 0), height: 100)
        }
        #expect(try await chain(limit: 10 * size, known: all).transactions.count == 10)
        try bench.source.pay(bench.script(0, 10), 1_000, salt: 99)
        await #expect(throws: WalletError.chain(.tooLarge(limit: 10 * size, of: .wallet))) {
            try await chain(limit: 10 * size, known: all)
        }
    }

    /// What one server made up takes no room from what another one tells.
    @Test func ballastOfALiarDoesNotCount() async throws {
        let (bench, honest) = (try WalletBench(), FakeChain())
        for salt in 0..<10 {
            try bench.source.pay(bench.script(0, UInt32(salt)), 1_000, salt: UInt32(salt))
            try honest.pay(bench.script(0, UInt32(salt)), 2_000, salt: UInt32(100 + salt))
        }
        let limit = 10 * (try SampleWallet.funding(bench.script(0, 0), amount: 1_000, salt: 0).serialized().count)
        var known: WalletChain?
        for (source, value) in [(bench.source, 1_000), (honest, 2_000), (honest, 2_000)] as [(FakeChain, Int64)] {
            let chain = try await WalletSync(bench.wallet, source: source, limit: limit)
                .run(known: known, at: UnixTime(seconds: 1))
            #expect(chain.transactions.count == 10 && chain.coins.allSatisfy { $0.output.value == value })
            known = chain
        }
    }

    /// Payments that nobody made, each to the last address that is asked for. What they lead to is asked for ever after,
    /// since money may be there that a server hides; so each may lead on by no more than a gap.
    @Test func inventedPaymentsLeadOnByAGapEach() async throws {
        let bench = try WalletBench()
        try bench.source.pay(bench.script(0, 0), 5_000, salt: 1_000)
        let liar = InventingChain(over: FakeChain(), inventions: 40)
        let misled = try await WalletSync(bench.wallet, source: liar).run(known: nil, at: UnixTime(seconds: 1))
        #expect(misled.transactions.count == 40)
        #expect(misled.nextIndex(descriptor: 0, branch: 1) == 40 * 20)
        let honest = InventingChain(over: bench.source, inventions: 0)
        let chain = try await WalletSync(bench.wallet, source: honest).run(known: misled, at: UnixTime(seconds: 2))
        #expect(chain.coins.map(\.output.value) == [5_000])
        #expect(chain.transactions.count == 1)
        // The first 40 of the one branch, and of the other up to a gap behind the last one that was named.
        #expect(honest.asked == 40 + 41 * 20)
    }

    /// Deposits that nobody made, each within the reach of the one before, lead change away.
    @Test func changeDoesNotFollowInventedDeposits() async throws {
        let bench = try WalletBench()
        let coins = try (0..<2).map { try bench.source.pay(bench.script(0, $0), 50_000, salt: $0 + 1) }
        for (salt, index) in stride(from: UInt32(5), to: 300, by: 15).enumerated() {
            try bench.source.pay(bench.script(1, index), 1_000, salt: UInt32(100 + salt))
        }
        func change() async throws -> WalletPlace? {
            var order = WalletOrder(
                payments: [Payment(to: WalletBench.stranger, amount: try #require(Amount(satoshis: 20_000)))],
                fee: .rate(.relay))
            order.coins = [coins[1]]
            var generator = SeededGenerator()
            let (_, psbt) = try WalletBuilder(bench.wallet, try await bench.chain()).build(
                order, at: .relay, using: &generator)
            let outputs = zip(psbt.unsignedTransaction.outputs, psbt.outputs)
            return outputs.compactMap { bench.wallet.place(of: $0, $1) }.first
        }
        #expect(try await bench.chain().nextIndex(descriptor: 0, branch: 1) == 291)
        #expect(try await change() == WalletPlace(descriptor: 0, branch: 1, index: 0))
        // What the wallet's own keys paid is a place from which a search goes on.
        bench.source.add(
            try bench.spending([coins[0]], [WalletBench.output(40_000, try bench.script(1, 10))]), height: 150)
        #expect(try await change() == WalletPlace(descriptor: 0, branch: 1, index: 11))
    }

    @Test func howFarASearchReaches() async throws {
        let bench = try WalletBench()
        for (salt, index) in [UInt32(0), 19, 39, 60].enumerated() {
            try bench.source.pay(bench.script(0, index), 1_000, salt: UInt32(salt + 1))
        }
        let chain = try await bench.chain(gapLimit: 30)
        #expect(chain.nextIndex(descriptor: 0, branch: 0) == 61)
        // Behind 39 come 20 unpaid ones, where a search ends that begins anew.
        #expect(chain.reachableCount(descriptor: 0, branch: 0) == 40)
        #expect(chain.reachableCount(descriptor: 0, branch: 1) == 0)
    }
}

/// A chain that makes up payments to the last script of each request, as often as it may.
private final class InventingChain: ChainSource {
    private let chain: FakeChain
    private let left: Mutex<Int>
    private let count = Mutex(0)

    init(over chain: FakeChain, inventions: Int) {
        self.chain = chain
        left = Mutex(inventions)
    }

    /// How many scripts' histories were asked for.
    var asked: Int { count.withLock { $0 } }
    var name: String { chain.name }
    var network: Network { chain.network }
    var features: Set<ChainFeature> { chain.features }

    func histories(of scripts: [Script]) async throws(ChainError) -> [[HistoryEntry]] {
        count.withLock { $0 += scripts.count }
        let salt = left.withLock { left in
            left -= 1
            return left
        }
        if salt >= 0, let last = scripts.last {
            do { try chain.pay(last, 1_000, salt: UInt32(salt)) } catch { throw .malformed("it can invent nothing") }
        }
        return try await chain.histories(of: scripts)
    }

    func tip() async throws(ChainError) -> ChainTip { try await chain.tip() }
    func unspent(of scripts: [Script]) async throws(ChainError) -> [[UnspentClaim]] {
        try await chain.unspent(of: scripts)
    }
    func transactions(_ ids: [TransactionID]) async throws(ChainError) -> [TransactionID: Transaction] {
        try await chain.transactions(ids)
    }
    func feeRate(targetBlocks: Int) async throws(ChainError) -> FeeRate? {
        try await chain.feeRate(targetBlocks: targetBlocks)
    }
    func minimumFeeRate() async throws(ChainError) -> FeeRate { try await chain.minimumFeeRate() }
    func broadcast(_ transaction: Transaction) async throws(ChainError) -> TransactionID {
        try await chain.broadcast(transaction)
    }
    func waitForChange(of scripts: [Script], timeout: Duration) async throws(ChainError) -> Bool {
        try await chain.waitForChange(of: scripts, timeout: timeout)
    }
    func close() async { await chain.close() }
}
