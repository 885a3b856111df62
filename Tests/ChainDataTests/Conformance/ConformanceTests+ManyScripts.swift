import Bitcoin
import Foundation
import TestSupport
import Testing

@testable import ChainData

/// Wallets ask for many scripts at a time.
extension ConformanceTests {
    /// With `TAPKIT_MANY_SCRIPTS=10000` this is the figure of a large wallet over loopback; it prints how long it took.
    @Test(arguments: [Backend.electrumTCP, .electrumTLS, .coreWallet])
    func tellsManyHistories(_ backend: Backend) async throws {
        let count = ProcessInfo.processInfo.environment["TAPKIT_MANY_SCRIPTS"].flatMap { Int($0) } ?? 700
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        let scripts = (0..<count).map { _ in Bench.newScript() }
        var funded: [Int: TransactionID] = [:]
        for index in stride(from: 0, to: count, by: max(1, count / 20)) {
            funded[index] = try await bench.chain.fund(scripts[index], try Bench.amount(1_000)).transactionID
        }
        try await bench.chain.mine()
        try await bench.settle()

        let start = ContinuousClock.now
        let histories = try await source.histories(of: scripts)
        print("\(count) histories over \(backend): \(ContinuousClock.now - start)")
        #expect(histories.count == count)
        for (index, history) in histories.enumerated() {
            #expect(history.map(\.transactionID) == (funded[index].map { [$0] } ?? []))
        }
        await source.close()
    }

    @Test(arguments: Backend.allCases) func tellsALongHistory(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        guard source.features.contains(.histories) else { return }
        let script = Bench.newScript()
        var ids: [TransactionID] = []
        for _ in 0..<6 {
            for _ in 0..<10 {
                ids.append(try await bench.chain.fund(script, try Bench.amount(1_000)).transactionID)
            }
            try await bench.chain.mine()
        }
        let waiting = try await bench.chain.fund(script, try Bench.amount(1_000)).transactionID
        try await bench.settle()
        let history = try await source.histories(of: [script])[0]
        #expect(Set(history.dropLast().map(\.transactionID)) == Set(ids))
        #expect(history.last == HistoryEntry(transactionID: waiting, height: nil))
        let heights = history.compactMap(\.height)
        #expect(heights == heights.sorted() && Set(heights).count == 6)
        #expect(try await source.coins(of: [script])[0].count == 61)
        await source.close()
    }
}
