import Bitcoin
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// The card taken away, and everything else, at every exchange of what only asks a TAPSIGNER, and of signed messages.
@Suite struct ReadingTearTests {
    @Test func account() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let path = try #require(bench.record.path)
        let tear = Tear { driver, bench, _ in
            let account = try await AccountFlow(driver: driver, cvc: CVC(FlowBench.cvc)).keys().account
            #expect(account.path == path)
            #expect(account.key.publicKey == (try bench.wallet().publicKey(path)))
        } check: { bench, cell in
            #expect(bench.record.path == path && bench.watch.wrongCVCs == 0, "\(cell)")
        }
        try await tear.run(on: bench, "xpub")
    }

    /// The first time the card proves its account, then its master key at `m`, and comes back.
    @Test func accountForTheFirstTime() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator).copy(store: MemoryStore())
        let path = try #require(bench.record.path)
        let master = try bench.wallet().fingerprint
        let tear = Tear { driver, bench, _ in
            let account = try await AccountFlow(driver: driver, cvc: CVC(FlowBench.cvc)).keys().account
            #expect(account.path == path && account.masterFingerprint == master)
            #expect(account.key.publicKey == (try bench.wallet().publicKey(path)))
        } check: { bench, cell in
            #expect(bench.record.path == path && bench.watch.wrongCVCs == 0, "\(cell)")
            #expect(bench.reader.exchangeCounts["sign", default: 0] <= 3, "\(cell)")
        }
        try await tear.run(on: bench, "xpub for the first time")
    }

    @Test func backupCheck() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let (backup, path) = (try await bench.backup(), try #require(bench.record.path))
        let backups = bench.record.backups
        bench.reader.resetCounts()
        let tear = Tear { driver, _, _ in
            let checked = try await BackupCheckFlow(driver: driver, cvc: CVC(FlowBench.cvc)).check(backup)
            #expect(checked == path)
        } check: { bench, cell in
            #expect(bench.record.backups == backups && bench.record.path == path, "\(cell)")
        }
        try await tear.run(on: bench, "backup verify")
    }

    @Test(arguments: [MessageSignatureFormat.bip137, .bip322Simple]) func message(
        _ format: MessageSignatureFormat
    ) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let (text, path) = (Array("It is I.".utf8), try #require(bench.record.path))
        let tear = Tear { driver, bench, _ in
            let signed = try await MessageFlow(driver: driver, cvc: CVC(FlowBench.cvc), network: .test)
                .sign(text, by: .path(DerivationPath(), nil), format: format)
            let key = try bench.wallet().publicKey(path)
            #expect(signed.address == Address(scriptPubKey: ScriptKind.p2wpkh.scriptPubKey(for: key), network: .test))
        } check: { bench, cell in
            #expect(bench.record.path == path && bench.watch.wrongCVCs == 0, "\(cell)")
        }
        try await tear.run(on: bench, "message, \(format)")
    }

    @Test func messageOfASlot() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 3, using: &generator)
        let before = try bench.slots()
        let tear = Tear { driver, _, _ in
            let signed = try await MessageFlow(driver: driver, cvc: CVC(FlowBench.cvc), network: .test)
                .sign(Array("It is I.".utf8), by: .slot(nil), format: .bip137)
            #expect(signed.address.description == before[2].address)
        } check: { bench, cell in
            let after = try bench.slots()
            #expect(after == before && bench.watch.wrongCVCs == 0, "\(cell)")
        }
        try await tear.run(on: bench, "message of a slot")
    }
}
