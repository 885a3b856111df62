import Bitcoin
import FlowSupport
import TestSupport
import Testing

@testable import TapManager

/// Copies of sweeps in files, as far as the manager knows of them.
@Suite struct SweepCopyTests {
    /// A copy may be replaced if the store has all that is in it, as a sweep of its own.
    @Test func theStoreKeepsWhatItHas() async throws {
        var generator = SeededGenerator()
        let bench = try SweepBench(opened: 1, using: &generator)
        try bench.fund(0, 20_000, salt: 1)
        let unsigned = try await bench.sweep(ScriptedInteraction(cvc: "111111")).signing.plan.psbt
        let manager = try bench.manager(NobodyToAsk())
        let signed = try await bench.sweep(ScriptedInteraction(cvc: FlowBench.cvc)).signing.result.signedPSBT
        #expect(try manager.keeps(sweep: unsigned) && manager.keeps(sweep: signed))
        let stored = try #require(bench.store.transaction(unsigned.unsignedTransaction.id))
        for (psbt, isSweep) in [(unsigned, true), (signed, false)] {
            _ = bench.store.deleteTransaction(stored.id)
            #expect(try !manager.keeps(sweep: signed))
            var other = StoredTransaction(
                psbt: psbt, network: stored.network, created: stored.created, updated: stored.updated, drains: isSweep)
            other.note = stored.note
            try bench.store.create(other, replacing: nil)
            #expect(try !manager.keeps(sweep: signed) && manager.keeps(sweep: unsigned) == isSweep)
        }
    }
}
