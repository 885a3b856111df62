import Bitcoin
import ChainData
import FlowSupport
import TapManager
import TestSupport
import Testing

/// Servers of each kind that tell more than anybody should hold: refused, each bound by its name.
@Suite(.serialized) struct ServerVolumeTests {
    private static let (count, size) = (UInt32(60), 20_000)

    /// - Parameter isRelevant: whether what is told pays the wallet.
    private func sync(_ backend: ServedChain.Backend, isRelevant: Bool, limit: Int, bytes: Int) async throws
        -> WalletChain
    {
        let bench = try WalletBench()
        let script = try bench.script(0, 0)
        let id = try #require(TransactionID([UInt8](repeating: 1, count: 32)))
        for number in 0..<Self.count {
            let ballast = TransactionOutput(
                value: 0, scriptPubKey: Script([0x6A] + [UInt8](repeating: 0x61, count: Self.size)))
            let transaction = Transaction(
                inputs: [TransactionInput(outpoint: Outpoint(transactionID: id, index: number))],
                outputs: isRelevant ? [ballast, WalletBench.output(1_000, script)] : [ballast])
            bench.source.add(transaction, height: 100)
            if !isRelevant { bench.source.claim(transaction.id, for: script, height: 100) }
        }
        let served = try ServedChain(bench.source, backend)
        defer { withExtendedLifetime(served) {} }
        let source = try served.source(bytes: bytes)
        let result: Result<WalletChain, WalletError>
        do throws(WalletError) {
            result = .success(
                try await WalletSync(bench.wallet, source: source, limit: limit).run(
                    known: nil, at: UnixTime(seconds: 1)))
        } catch { result = .failure(error) }
        await source.close()
        return try result.get()
    }

    @Test(arguments: ServedChain.Backend.allCases) func whatIsKeptIsBounded(_ backend: ServedChain.Backend) async throws
    {
        await #expect(throws: WalletError.chain(.tooLarge(limit: 500_000, of: .wallet))) {
            try await sync(backend, isRelevant: true, limit: 500_000, bytes: 8_000_000)
        }
        let all = try await sync(backend, isRelevant: true, limit: 2_000_000, bytes: 8_000_000)
        #expect(all.coins.count == Int(Self.count))
    }

    @Test(arguments: ServedChain.Backend.allCases) func whatComesIsBounded(_ backend: ServedChain.Backend) async throws
    {
        await #expect(throws: WalletError.chain(.tooLarge(limit: 600_000, of: .conversation))) {
            try await sync(backend, isRelevant: false, limit: 2_000_000, bytes: 600_000)
        }
    }

    /// What does not concern the wallet takes no room in it. Core's histories are made here, and hold nothing of the kind.
    @Test(arguments: ServedChain.Backend.allCases) func whatIsOfNoConcernIsDropped(
        _ backend: ServedChain.Backend
    ) async throws {
        let answer = try await sync(backend, isRelevant: false, limit: 1_000, bytes: 8_000_000)
        #expect(answer.transactions.isEmpty && answer.scripts.isEmpty)
    }
}
