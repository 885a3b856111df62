import Bitcoin
import FlowSupport
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// Signing with a backup through the manager: what is asked, and what is kept.
@Suite struct RescueTests {
    private func manager(_ person: ScriptedInteraction, _ store: any Store) -> CardManager {
        CardManager(store: store, interaction: person, clock: { UnixTime(seconds: 7) })
    }

    private func nobody() -> ScriptedInteraction { ScriptedInteraction(cvc: FlowBench.cvc) }

    @Test func itIsAskedOnceAndKept() async throws {
        let wallet = try SampleWallet(seed: 1)
        let (psbt, backup, store) = (try wallet.psbt(), try Backup.made(of: wallet.master), MemoryStore())
        let person = nobody()
        let report = try await manager(person, store).sign(psbt, withBackup: backup)
        #expect(report.result.transaction != nil && report.interruption == nil && report.isKept)
        #expect(person.words == ["keyIsHot", "signWithBackup"])
        guard case .otherQuestion(.signWithBackup(let fingerprint, let review, _, let count))? = person.entries.last
        else {
            throw ScriptedInteraction.Declined()
        }
        #expect(fingerprint == wallet.fingerprint && count == psbt.inputs.count)
        #expect(review.inputs.allSatisfy { $0.path != nil })
        #expect(store.transaction(psbt.unsignedTransaction.id)?.updated == UnixTime(seconds: 7))

        // The store has it all: there is nothing to ask any more.
        let again = nobody()
        let rest = try await manager(again, store).sign(psbt, withBackup: backup)
        #expect(rest.result.added == 0 && rest.result.transaction != nil && rest.plan.signatureCount == 0)
        #expect(again.words == ["keyIsHot"])
    }

    @Test func aNoSignsNothing() async throws {
        let wallet = try SampleWallet(seed: 1)
        let (psbt, store) = (try wallet.psbt(), MemoryStore())
        let person = ScriptedInteraction(decide: { _ in throw Declined() }, give: { _ in FlowBench.cvc })
        let backup = try Backup.made(of: wallet.master)
        await #expect(throws: Declined.self) { try await manager(person, store).sign(psbt, withBackup: backup) }
        #expect(store.transaction(psbt.unsignedTransaction.id) == nil)
    }

    @Test func aLieIsRefusedBeforeAnybodyIsAsked() async throws {
        let wallet = try SampleWallet(seed: 1)
        var lie = try wallet.psbt()
        lie[input: 0].witnessUTXO?.value += 1
        let person = nobody()
        let (manager, psbt, backup) = (manager(person, MemoryStore()), lie, try Backup.made(of: wallet.master))
        await #expect(throws: FlowError.self) { try await manager.sign(psbt, withBackup: backup) }
        #expect(person.words == ["keyIsHot"])
    }

    /// Money is worth more than a record of it.
    @Test func aStoreThatTakesNothingIsTold() async throws {
        let wallet = try SampleWallet(seed: 1)
        let store = MortalStore(MemoryStore(), onDeath: {})
        store.die(.beforeWrite, atWrite: 1)
        let person = nobody()
        let report = try await manager(person, store).sign(
            try wallet.psbt(), withBackup: try Backup.made(of: wallet.master))
        #expect(report.result.transaction != nil && !report.isKept)
        #expect(person.words == ["keyIsHot", "signWithBackup", "notKept"])
    }
}
