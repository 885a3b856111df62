import Bitcoin
import FlowSupport
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// A rehearsal of the wallet as it is stored, with the backups that are stored.
@Suite struct StoredRehearsalTests {
    private let bench: DrillBench
    private let holders: [SampleWallet]
    private let opened: OpenedWallet

    init() async throws {
        bench = try DrillBench()
        holders = try [1, 2, 3].map { try SampleWallet(seed: $0) }
        let policy = SamplePolicy("thresh(2,pk(#A),s:pk(#B),s:pk(#C),sln:older(10))", holders)
        opened = try await bench.manager.addWallet(
            named: "family", of: .parsing([try #require(policy.descriptor().text)]), network: .test
        ).wallet
    }

    /// Remembers a holder's card, and stores backups of it.
    private func remember(_ holder: SampleWallet, backedUpAt paths: String...) throws {
        let card = try CardRecord(
            publicKey: holder.publicKey(DerivationPath()), product: .tapsigner, isTestnet: true,
            fingerprint: holder.fingerprint, lastSeen: DrillBench.start)
        bench.store.save(card)
        for (number, path) in paths.enumerated() {
            bench.store.save(
                StoredBackup(
                    card: card.ident, ciphertext: try Backup.encrypted(holder.master, path: path), count: number + 1,
                    created: UnixTime(seconds: DrillBench.start.seconds + Int64(number))))
        }
    }

    /// The newest of each card that has a key of the wallet, in the order of the keys.
    @Test func theNewestBackupsAreFound() throws {
        #expect(try bench.manager.storedBackups(for: opened).isEmpty)
        try remember(holders[2], backedUpAt: "m/84h/1h/0h", "m/48h/1h/0h/2h")
        try remember(holders[0], backedUpAt: "m/84h/1h/0h")
        try remember(holders[1])
        try remember(SampleWallet(seed: 9), backedUpAt: "m/84h/1h/0h")
        let found = try bench.manager.storedBackups(for: opened)
        #expect(found.map(\.card.fingerprint) == [holders[0].fingerprint, holders[2].fingerprint])
        let expected = [
            try Backup.encrypted(holders[0].master), try Backup.encrypted(holders[2].master, path: "m/48h/1h/0h/2h"),
        ]
        #expect(found.map(\.backup.ciphertext) == expected)
    }

    /// It is a kit that heirs have: without one, nothing is remembered.
    @Test func nothingIsRememberedWithoutAKit() throws {
        let backups = try [0, 2].map { try DrillBench.backup(holders[$0]) }
        let report = try bench.manager.rehearse(opened, with: backups)
        #expect(report.proven == [1, 2] && report.written == nil)
        #expect(report.storedName == "family" && !report.isRemembered)
        #expect(bench.store.wallets().first?.drill == WalletDrill())
        let stranger = try SampleWallet(seed: 9)
        #expect(throws: RehearsalError.strangeBackup(stranger.fingerprint)) {
            try bench.manager.rehearse(opened, with: [DrillBench.backup(stranger)])
        }
    }
}
