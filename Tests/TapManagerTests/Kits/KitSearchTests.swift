import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapManager

/// How far heirs, who have a fresh store, must search to find every coin.
@Suite struct KitSearchTests {
    /// The index alone counts, of addresses and of change, and whether or not the address has a coin still: what was
    /// paid before it, a server can have made up.
    @Test(
        arguments: [(0, nil), (19, nil), (20, 21), (60, 61), (9_999, 10_000), (20_000, 10_000)] as [(UInt32, Int64?)])
    func theLastAddressInUseCounts(_ index: UInt32, _ expected: Int64?) async throws {
        let bench = try DrillBench()
        let holders = try [1, 2].map { try SampleWallet(seed: $0) }
        let opened = try await bench.written(try #require(SamplePolicy("multi(2,#A,#B)", holders).descriptor().text))
        for branch in [0, 1] {
            for (isSpent, isCrowded) in [(false, false), (true, false), (false, true)] {
                try save(index, on: branch, isSpent: isSpent, isCrowded: isCrowded, of: opened, in: bench)
                try bench.write(opened, overwriting: true)
                #expect(try limit(bench) == expected)
                // Those who read it need not know what the number is.
                try bench.manager.require(bench.read(), of: bench.manager.wallet(named: "family"))
            }
        }
    }

    /// A kit that was written before any server was asked.
    @Test func withoutAnAnswerItIsTheUsualLimit() async throws {
        let bench = try DrillBench()
        let holders = try [1, 2].map { try SampleWallet(seed: $0) }
        try await bench.written(try #require(SamplePolicy("multi(2,#A,#B)", holders).descriptor().text))
        #expect(try limit(bench) == nil)
    }

    private func limit(_ bench: DrillBench) throws -> Int64? {
        let path = bench.kit + "/" + KitFile.Name.document.rawValue
        let bytes = try #require(AtomicFile.content(of: path, limit: KitFolder.limit))
        return try JSONReader.value(bytes)["gap_limit"]?.integer
    }

    /// Stores an answer in which the address of an index was paid.
    /// - Parameter isCrowded: whether those at every tenth index before it were paid, too.
    private func save(
        _ index: UInt32, on branch: Int, isSpent: Bool, isCrowded: Bool, of opened: OpenedWallet, in bench: DrillBench
    ) throws {
        let place = opened.wallet.branches[branch].place(index)
        let script = try opened.wallet.script(at: place)
        let funding = try SampleWallet.funding(script, amount: 5_000, salt: 1)
        let crowd = isCrowded ? Array(stride(from: 0, to: min(index, 100), by: 10)) : []
        let coin = WalletCoin(
            outpoint: Outpoint(transactionID: funding.id, index: 1), output: funding.outputs[1], place: place,
            height: 900, isCoinbase: false)
        try bench.store.save(
            WalletChain(
                network: .test, server: "s", height: 1_000, time: DrillBench.start, hasHistory: true,
                areSpendsProven: true,
                scripts: try (crowd + [index]).map { used in
                    let place = opened.wallet.branches[branch].place(used)
                    return WalletChain.KnownScript(
                        place: place, script: try opened.wallet.script(at: place), isUsed: true)
                }, transactions: [WalletTransaction(transaction: funding, id: funding.id, height: 900)],
                coins: isSpent ? [] : [coin]), of: opened.stored, at: DrillBench.start)
    }
}
