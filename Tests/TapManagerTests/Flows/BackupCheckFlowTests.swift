import Bitcoin
import FlowSupport
import LyingCards
import TapManager
import TapProtocol
import TestSupport
import Testing

@testable import TapSimulator

/// Whether a backup is this card's: honest cards, other cards, and cards that lied when their key was made.
@Suite struct BackupCheckFlowTests {
    @Test func aCardsBackupIsItsOwn() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let backup = try await bench.backup()
        #expect(try await bench.check(backup).description == "m/84h/1h/0h")

        // It stays so when the card is moved, and the check itself moves nothing.
        let elsewhere = try DerivationPath(parsing: "m/48h/1h/0h/2h")
        _ = try await bench.run { try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).derive(elsewhere) }
        #expect(try await bench.check(backup) == elsewhere)
        #expect(bench.record.path?.description == "m/48h/1h/0h/2h")
    }

    @Test func anotherCardsBackupIsSaidToBeOne() async throws {
        var generator = SeededGenerator()
        let (bench, other) = (
            try await FlowBench.ready(using: &generator), try await FlowBench.ready(using: &generator)
        )
        let backup = try await other.backup()
        let expected = FlowError.otherCardsBackup(
            backup: try other.wallet().fingerprint, card: try bench.wallet().fingerprint)
        await #expect(throws: expected) { try await bench.check(backup) }
        // A card that gives away another key's backup is found out in the same way.
        try bench.simulated.lie([.backupOfAnotherKey])
        let foisted = try await bench.backup()
        try bench.simulated.lie([])
        await #expect { try await bench.check(foisted) } throws: { error in
            if case FlowError.otherCardsBackup = error { true } else { false }
        }
    }

    @Test func theSameKeyWithAnotherChainCodeOrNetworkIsALie() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let master = try bench.wallet().master
        #expect(try await bench.check(.made(of: master)).description == "m/84h/1h/0h")
        let bent = [
            (try generator.chainCode(), KeyNetwork.test), (master.chainCode, KeyNetwork.main),
        ]
        for (chainCode, network) in bent {
            let other = ExtendedPrivateKey(master: master.privateKey, chainCode: chainCode, network: network)
            let backup = try Backup.made(of: other)
            await #expect { try await bench.check(backup) } throws: { error in
                if case FlowError.card(.badProof(.backup, _)) = error { true } else { false }
            }
        }
    }

    /// The card shows the chain code that it was given, in its backup too, and derives its keys with one of its own: with
    /// that backup alone, all money would be lost. Setup finds out, and so does whoever compares later.
    @Test func aBackupFromWhichTheCardsKeysDoNotFollowIsALie() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        try bench.simulated.lie([.claimsSuppliedChainCode])
        let goal = SetupFlow.Goal(
            path: nil, chainCode: try generator.chainCode(), isChainCodeNamed: false,
            newCVC: nil)
        let setup = await expectFailure {
            try await bench.run { try await SetupFlow(driver: $0, cvc: CVC(FlowBench.cvc), goal: goal).run { _ in } }
        }
        #expect([.account, .chainCode].contains(setup?.failedProof))
        let backup = try await bench.backup()
        #expect(backup.masterKey.chainCode == goal.chainCode)
        await #expect { try await bench.check(backup) } throws: { error in
            guard case FlowError.card(.badProof(let proof, _)) = error else { return false }
            return [.backup, .account].contains(proof)
        }
    }

    /// The hardened path is what no command proves: the backup does.
    @Test func aCardAtAnotherPathThanItSaysIsFoundOut() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let backup = try await bench.backup()
        try bench.simulated.lie([.derivesAnotherPath])
        let path = try DerivationPath(parsing: "m/48h/1h/0h/2h")
        _ = try? await bench.run { try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).derive(path) }
        await #expect { try await bench.check(backup) } throws: { error in
            guard case FlowError.card(.badProof(let proof, let detail)) = error else { return false }
            return proof == .backup && detail.contains("is not derived")
        }
    }

    @Test func cardsWithoutABackupAreRefused() async throws {
        var generator = SeededGenerator()
        let backup = try Backup.made(of: try SampleWallet(seed: 1).master)
        let chip = try await FlowBench.ready(.satschip, using: &generator) { $0.cvc = FlowBench.cvc }
        await #expect(throws: FlowError.wrongProduct(.satschip, task: .compareBackup)) {
            try await chip.check(backup)
        }
        #expect(chip.exchangeCount == 0 || chip.reader.exchangeCounts["xpub"] == nil)
        let blank = try FlowBench(using: &generator)
        await #expect(throws: FlowError.notSetUp) { try await blank.check(backup) }
    }
}
