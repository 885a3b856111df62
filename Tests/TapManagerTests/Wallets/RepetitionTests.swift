import Bitcoin
import ChainData
import FlowSupport
import TapManager
import TestSupport
import Testing

/// Payments to somebody to whom one is on its way already.
@Suite struct RepetitionTests {
    private let bench: WalletBench
    private let manager = CardManager(store: MemoryStore()) { UnixTime(seconds: 5) }

    init() throws {
        bench = try WalletBench()
        for index in 0..<4 { try bench.source.pay(bench.script(0, UInt32(index)), 10_000, salt: UInt32(index + 1)) }
    }

    private func order(_ script: Script = WalletBench.stranger, _ amount: Int64 = 5_000) throws -> WalletOrder {
        WalletOrder(
            payments: [Payment(to: script, amount: try #require(Amount(satoshis: amount)))], fee: .rate(.relay))
    }

    private func make(_ order: WalletOrder) async throws -> StoredTransaction {
        var generator = SeededGenerator()
        return try manager.create(order, at: .relay, from: bench.wallet, try await bench.chain(), using: &generator)
    }

    private func update(_ stored: StoredTransaction, _ change: (inout StoredTransaction) throws -> Void) throws {
        var changed = stored
        try change(&changed)
        _ = try manager.store.updateTransaction(stored.id) { _ in changed }
    }

    private func findings(_ order: WalletOrder) async throws -> [Finding] {
        try manager.repetitions(in: order, from: bench.wallet, try await bench.chain())
    }

    /// The server keeps quiet about what was sent.
    @Test func whatWasSentIsAskedAbout() async throws {
        let stored = try await make(order())
        #expect(try await findings(order()).isEmpty)
        try update(stored) { $0.sent = UnixTime(seconds: 6) }
        let found = try await findings(order(WalletBench.stranger, 7_000))
        #expect(found.map(\.code) == [.addressAlreadyPaid])
        #expect(found.first?.message.contains("\(stored.id)") == true)
        #expect(found.first?.message.contains("already paid 5000 sat") == true)
        #expect(found.first?.severity == .warning && FindingCode.addressAlreadyPaid.needsAcceptance)
        // Others may be paid, and the same one by everything.
        #expect(try await findings(order(Script([0x00, 0x14] + [UInt8](repeating: 3, count: 20)))).isEmpty)
        let drain = WalletOrder(payments: [], drain: WalletBench.stranger, fee: .rate(.relay))
        #expect(try await findings(drain).count == 1)
        #expect(try manager.store.deleteTransaction(stored.id))
        #expect(try await findings(order()).isEmpty)
    }

    /// What is signed can be sent by anybody who has seen it; whoever has not sent it knows that.
    @Test func whatIsSignedIsMentioned() async throws {
        let stored = try await make(order())
        try update(stored) { $0.psbt = try bench.keys.signed($0.psbt) }
        #expect(try await findings(order()).map(\.severity) == [.notice])
    }

    /// Another program with the same keys sent it.
    @Test func whatTheChainTellsIsAskedAbout() async throws {
        let coin = try bench.source.pay(bench.script(0, 4), 20_000, salt: 9)
        let spend = try bench.spending([coin], [WalletBench.output(19_000)])
        bench.source.add(spend, height: nil)
        #expect(try await findings(order()).map(\.message).contains { $0.contains("\(spend.id)") })
        // Whoever else pays that address is no concern.
        let others = try SampleWallet.funding(WalletBench.stranger, amount: 1_000, salt: 77)
        bench.source.add(others, height: nil)
        #expect(try await findings(order()).count == 1)
    }

    /// Its own transaction, seen on the chain as well, is asked about once.
    @Test func theSameTransactionIsAskedAboutOnce() async throws {
        let stored = try await make(order())
        try update(stored) {
            $0.psbt = try bench.keys.signed($0.psbt)
            $0.sent = UnixTime(seconds: 6)
        }
        bench.source.add(try bench.signed(stored), height: nil)
        #expect(try await findings(order()).count == 1)
    }
}
