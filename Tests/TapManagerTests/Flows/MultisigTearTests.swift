import Bitcoin
import FlowSupport
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// A 2-of-3 multisig signed by two cards one after the other, over one store: either card's turn torn.
@Suite struct MultisigTearTests {
    private static let inputCount = 2

    /// Two cards that are cosigners, and what they sign.
    private func cosigners() async throws -> (first: FlowBench, second: FlowBench, psbt: PSBT) {
        var generator = SeededGenerator(for: "cosigners")
        let first = try await FlowBench.ready(using: &generator)
        let second = try await FlowBench.ready(using: &generator)
        let wallets = [try first.wallet(), try second.wallet(), try SampleWallet(seed: 3)]
        return (first, second, try SampleMultisig(.p2wsh, wallets).psbt(inputs: Self.inputCount))
    }

    private func expectUnharmed(_ bench: FlowBench, _ cell: String) {
        // The multisig's account is proven once, and one signature may be asked for twice.
        #expect(bench.reader.exchangeCounts["sign", default: 0] <= Self.inputCount + 2, "\(cell)")
        #expect(bench.record.path?.description == "m/84h/1h/0h", "\(cell)")
    }

    @Test func theFirstCardsTurn() async throws {
        let (first, second, psbt) = try await cosigners()
        let tear = Tear { driver, bench, _ in
            try await bench.signToTheEnd(psbt, driver)
        } check: { bench, cell in
            expectUnharmed(bench, cell)
            #expect(try bench.storedSignatureCount(of: psbt) == Self.inputCount, "\(cell)")
            // The other cosigner goes on with what is in the store.
            let next = try second.copy(store: bench.store)
            try await next.run { try await next.signToTheEnd(psbt, $0) }
            // And proves its two accounts, which this store does not know.
            #expect(next.reader.exchangeCounts["sign"] == Self.inputCount + 2, "\(cell)")
            try await next.expectComplete(psbt, cell)
        }
        try await tear.run(on: first, other: second, "sign 2 of 3, the first card")
    }

    @Test func theSecondCardsTurn() async throws {
        let (first, second, psbt) = try await cosigners()
        let signed = try first.copy()
        try await signed.run { try await signed.signToTheEnd(psbt, $0) }
        let half = try #require(signed.store.transaction(psbt.unsignedTransaction.id))
        let tear = Tear { driver, bench, run in
            if run == 1 { _ = try bench.store.updateTransaction(half.id) { $0 ?? half } }
            try await bench.signToTheEnd(psbt, driver)
        } check: { bench, cell in
            expectUnharmed(bench, cell)
            try await bench.expectComplete(psbt, cell)
        }
        // The first cosigner is the card that is laid down by mistake.
        try await tear.run(on: second, other: first, "sign 2 of 3, the second card")
    }
}
