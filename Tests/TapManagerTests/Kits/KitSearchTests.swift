import Bitcoin
import ByteCodec
import Foundation
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
                #expect(try number("gap_limit", bench) == expected)
                // More than a search takes: then the number that is taken does not find everything for certain.
                #expect(try number("needed_gap_limit", bench) == (index >= 10_000 ? Int64(index) + 1 : nil))
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
        #expect(try number("gap_limit", bench) == nil)
        #expect(try number("version", bench) == 1)
        #expect(try ranges(bench) == [[0, 999], [0, 999]])
    }

    /// Bitcoin Core watches what a search would try. Earlier programs can read the kit as long as that is the usual
    /// number.
    @Test(
        arguments: [(0, 999), (499, 999), (500, 1_001), (1_500, 3_001), (9_999, 19_999), (20_000, 30_000)]
            as [(UInt32, Int64)])
    func coreWatchesWhatHeirsSearch(_ index: UInt32, _ last: Int64) async throws {
        let bench = try DrillBench()
        let holders = try [1, 2].map { try SampleWallet(seed: $0) }
        let opened = try await bench.written(try #require(SamplePolicy("multi(2,#A,#B)", holders).descriptor().text))
        for (branch, isSpent) in [(0, false), (1, true)] {
            try save(index, on: branch, isSpent: isSpent, isCrowded: false, of: opened, in: bench)
            try bench.write(opened, overwriting: true)
            #expect(try ranges(bench) == [[0, last], [0, last]])
            #expect(try number("version", bench) == (last == 999 ? 1 : 2))
            #expect(try number("address_count", bench) == (last == 999 ? nil : last + 1))
            try bench.manager.require(bench.read(), of: bench.manager.wallet(named: "family"))
        }
        guard last > 999 else { return }
        // A smaller range than the kit says, and numbers that Bitcoin Core is never given.
        let refusals: [(String, KitError)] = [
            ("1000", .altered(.file(.core))), ("999", .malformed(.document)), ("1000001", .malformed(.document)),
            ("-1", .malformed(.document)),
        ]
        for (count, error) in refusals {
            try bench.write(opened, overwriting: true)
            try bench.change(.document) {
                $0.replacingOccurrences(of: "\"address_count\" : \(last + 1),", with: "\"address_count\" : \(count),")
            }
            #expect(throws: error) { try bench.read() }
        }
    }

    private func json(_ name: KitFile.Name, _ bench: DrillBench) throws -> JSONValue {
        let bytes = try #require(AtomicFile.content(of: bench.kit + "/" + name.rawValue, limit: KitFolder.limit))
        return try JSONReader.value(bytes)
    }

    private func number(_ key: String, _ bench: DrillBench) throws -> Int64? {
        try json(.document, bench)[key]?.integer
    }

    /// The first and the last index that Bitcoin Core watches, of each branch.
    private func ranges(_ bench: DrillBench) throws -> [[Int64?]] {
        try #require(try json(.core, bench).array).map { $0["range"]?.array?.map(\.integer) ?? [] }
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
