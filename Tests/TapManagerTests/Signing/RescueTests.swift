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

    /// Somebody who has the backup's key, and agrees.
    private func holder() -> ScriptedInteraction {
        ScriptedInteraction(cvc: FlowBench.cvc, backupKey: Backup.keyText)
    }

    /// Review, yes, key, sign. Before the backup is open, what is its own is only claimed.
    @Test func itIsAskedOnceAndKept() async throws {
        let wallet = try SampleWallet(seed: 1)
        let (psbt, backup, store) = (try wallet.psbt(), try Backup.encrypted(wallet.master), MemoryStore())
        let person = holder()
        let report = try await manager(person, store).sign(psbt, withBackup: backup)
        #expect(report.result.transaction != nil && report.interruption == nil && report.isKept)
        #expect(person.words == ["first", "backupKey", "keyIsHot", "review"])
        guard case .question(let asked)? = person.entries.first, case .backup(nil) = asked.signer else {
            throw ScriptedInteraction.Declined()
        }
        #expect(asked.signatureCount == nil && asked.review.inputs.allSatisfy { $0.path == nil })
        #expect(asked.review.doubtfulChange.map(\.index) == report.review.change.map(\.index))
        #expect(store.transaction(psbt.unsignedTransaction.id)?.updated == UnixTime(seconds: 7))
        // They count as made for this store: sending asks nobody again.
        let made = store.signaturesMadeHere(for: psbt.unsignedTransaction.id)
        for (index, input) in report.result.signedPSBT.inputs.enumerated() {
            #expect(made[index] == input.partialSignatures && made[index]?.isEmpty == false)
        }

        // The store has it all: the backup stays closed.
        let again = holder()
        let rest = try await manager(again, store).sign(psbt, withBackup: backup)
        #expect(rest.result.added == 0 && rest.result.transaction != nil && rest.plan.signatureCount == 0)
        #expect(again.words == ["alreadySigned"])
    }

    /// What the file calls change is another's: it was shown as coming back, so that is asked about again.
    @Test func changeThatTheFileInventsIsAskedAboutAgain() async throws {
        let (own, other) = (try SampleWallet(seed: 1), try SampleWallet(seed: 8))
        var psbt = try own.psbt()
        psbt[input: 0].addDerivation(try other.derivation(other.path(.p2wpkh, branch: 0, index: 0)))
        psbt[output: 0].addDerivation(try other.derivation(other.path(.p2wpkh, branch: 1, index: 0)))
        let person = ScriptedInteraction(
            answer: { question in
                guard case .worse(let news) = question.occasion, case .backup(let fingerprint?) = question.signer else {
                    return
                }
                #expect(fingerprint == own.fingerprint)
                #expect(news.map(\.subject) == [.output(0)] && news.map(\.code) == [.changeNotProven])
                throw ScriptedInteraction.Declined()
            }, give: { _ in FlowBench.cvc }, backupKey: Backup.keyText)
        let (manager, backup) = (manager(person, MemoryStore()), try Backup.encrypted(own.master))
        let given = psbt
        await #expect(throws: ScriptedInteraction.Declined.self) { try await manager.sign(given, withBackup: backup) }
        #expect(person.words == ["first", "backupKey", "keyIsHot", "worse"])
    }

    @Test func aNoSignsNothing() async throws {
        let wallet = try SampleWallet(seed: 1)
        let (psbt, store) = (try wallet.psbt(), MemoryStore())
        let person = ScriptedInteraction(answer: { _ in throw Declined() }, give: { _ in FlowBench.cvc })
        let backup = try Backup.encrypted(wallet.master)
        await #expect(throws: Declined.self) { try await manager(person, store).sign(psbt, withBackup: backup) }
        #expect(store.transaction(psbt.unsignedTransaction.id) == nil && person.words == ["first"])
    }

    @Test func aLieIsRefusedBeforeAnybodyIsAsked() async throws {
        let wallet = try SampleWallet(seed: 1)
        var lie = try wallet.psbt()
        lie[input: 0].witnessUTXO?.value += 1
        let person = holder()
        let (manager, psbt, backup) = (manager(person, MemoryStore()), lie, try Backup.encrypted(wallet.master))
        await #expect(throws: FlowError.self) { try await manager.sign(psbt, withBackup: backup) }
        #expect(person.words.isEmpty)
    }

    /// Money is worth more than a record of it.
    @Test func aStoreThatTakesNothingIsTold() async throws {
        let wallet = try SampleWallet(seed: 1)
        let store = MortalStore(MemoryStore(), onDeath: {})
        store.die(.beforeWrite, atWrite: 1)
        let person = holder()
        let report = try await manager(person, store).sign(
            try wallet.psbt(), withBackup: try Backup.encrypted(wallet.master))
        #expect(report.result.transaction != nil && !report.isKept)
        #expect(person.words == ["first", "backupKey", "keyIsHot", "review", "notKept"])
    }
}
