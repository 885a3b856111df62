import Bitcoin
import FlowSupport
import TestSupport
import Testing

@testable import TapManager

/// Signing what is stored, when the user has a file of the same transaction.
@Suite struct StoredSigningTests {
    private let yes = { @Sendable in ScriptedInteraction(cvc: FlowBench.cvc) }

    /// Two cards of a 2-of-3, and its transaction.
    private func cosigners() async throws -> (benches: [FlowBench], psbt: PSBT) {
        var generator = SeededGenerator()
        let benches = [try await FlowBench.ready(using: &generator), try await FlowBench.ready(using: &generator)]
        let wallets = try benches.map { try $0.wallet() } + [SampleWallet(seed: 3)]
        return (benches, try SampleMultisig(.p2wsh, wallets).psbt())
    }

    /// A cosigner's signature that only the file has makes the transaction complete with the card's own.
    @Test func signaturesOfTheFileCount() async throws {
        let (benches, psbt) = try await cosigners()
        let given = try await benches[0].manager(yes()).sign(psbt).result.psbt
        #expect(SignatureTally(given).present == 1)
        let manager = try benches[1].manager(yes())
        let stored = try manager.importTransaction(psbt).transaction
        let report = try await manager.sign(stored, givenAs: given)
        #expect(report.result.transaction != nil && report.result.added == 1)
        #expect(report.signers.map(\.card) == [benches[1].ident])
    }

    /// Nothing is asked, and nothing signed, if the file is of another transaction.
    @Test func anotherTransactionIsRefused() async throws {
        let (benches, psbt) = try await cosigners()
        let person = yes()
        let manager = try benches[1].manager(person)
        let stored = try manager.importTransaction(psbt).transaction
        let other = try benches[1].wallet().psbt()
        await #expect(throws: PSBTError.otherTransaction(other.unsignedTransaction.id)) {
            try await manager.sign(stored, givenAs: other)
        }
        #expect(person.words.isEmpty && benches[1].reader.exchangeCounts["sign", default: 0] == 0)
    }

    /// A sweep was planned here: no file changes what is signed.
    @Test func aSweepIsSignedAsStored() async throws {
        var generator = SeededGenerator()
        let bench = try SweepBench(opened: 1, using: &generator)
        try bench.fund(0, 20_000, salt: 1)
        let id = try await bench.sweep(ScriptedInteraction(cvc: "111111")).signing.plan.psbt.unsignedTransaction.id
        let stored = try #require(bench.store.transaction(id))
        let person = yes()
        let report = try await bench.manager(person).sign(stored, givenAs: SampleWallet(seed: 3).psbt())
        #expect(person.words == ["sweep", "cvc"] && report.result.transaction?.id == id)
    }
}
