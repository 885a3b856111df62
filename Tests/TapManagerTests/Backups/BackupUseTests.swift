import Bitcoin
import ByteCodec
import FlowSupport
import Synchronization
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Backups through the manager: how they are opened, what is asked before a key is shown, and what is compared with a card.
@Suite struct BackupUseTests {
    private static let keyText = "00112233445566778899aabbccddeeff"

    private func manager(_ person: ScriptedInteraction) -> CardManager {
        CardManager(store: MemoryStore(), interaction: person, clock: { UnixTime(seconds: 7) })
    }

    /// A backup of a master key as a card encrypts it.
    private func encrypted(
        _ master: ExtendedPrivateKey, end: String = "\n", key: String = keyText
    ) throws -> EncryptedBackup {
        let secret = SecretBytes(try Hex.decode(Self.keyText))
        let text = Array("\(master.text)\nm/84h/1h/0h\(end)".utf8)
        let ciphertext = try #require(AES128CTR.crypt(text, key: secret))
        return EncryptedBackup(ciphertext) { try Backup.Key(hex: key) }
    }

    @Test func itOpensForItsOwnNetwork() async throws {
        let wallet = try SampleWallet(seed: 1)
        let isMain = wallet.master.network == .main
        let opened = try await encrypted(wallet.master).opened()
        #expect(opened.account.masterFingerprint == wallet.fingerprint && opened.network == (isMain ? .main : .test))
        #expect(opened.account.path.description == "m/84h/1h/0h")
        guard !isMain else { return }
        #expect(try await encrypted(wallet.master).opened(for: .signet).network == .signet)
        await #expect(throws: OtherNetwork(of: .backup, .test, asked: .main)) {
            try await encrypted(wallet.master).opened(for: .main)
        }
    }

    @Test func aWrongKeyAndACutOffPathAreTold() async throws {
        let master = try SampleWallet(seed: 1).master
        let wrong = try encrypted(master, key: String(repeating: "0", count: 32))
        let error = await #expect(throws: TapError.self) { try await wrong.opened() }
        #expect(error == .badBackup(.wrongKey) && error?.code.condemnsBackup == true)
        let cut = try encrypted(master, end: "")
        #expect(try await !cut.opened().backup.isPathWhole)
        await #expect(throws: TapError.badBackup(.cutOff)) { try await cut.opened(wholly: true) }
        _ = try await encrypted(master).opened(wholly: true)
    }

    /// Both questions need a yes; the key is not asked for before the first one, and the second one says whose it is.
    @Test func showingIsConfirmedTwice() async throws {
        let wallet = try SampleWallet(seed: 1)
        for refused in [0, 1] {
            let asked = Mutex(0)
            let person = ScriptedInteraction(
                decide: { _ in
                    let count = asked.withLock { count in
                        defer { count += 1 }
                        return count
                    }
                    if count == refused { throw Declined() }
                }, give: { _ in FlowBench.cvc })
            let isKeyAsked = Mutex(false)
            let whole = try encrypted(wallet.master)
            let watched = EncryptedBackup([UInt8](repeating: 0, count: 200)) {
                isKeyAsked.withLock { $0 = true }
                return try Backup.Key(hex: Self.keyText)
            }
            await #expect(throws: Declined.self) {
                try await manager(person).openToShow(refused == 0 ? watched : whole)
            }
            #expect(person.words == Array(["openBackup", "showMasterKey"].prefix(refused + 1)))
            #expect(!isKeyAsked.withLock { $0 })
        }
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let opened = try await manager(person).openToShow(encrypted(wallet.master, end: ""))
        #expect(opened.backup.masterKey.text == wallet.master.text)
        #expect(person.words == ["openBackup", "showMasterKey", "backupCutOff"])
        guard case .otherQuestion(.showMasterKey(wallet.fingerprint)) = person.entries[1] else {
            Issue.record("\(person.entries)")
            return
        }
    }

    @Test func aBackupIsComparedWithTheCardThatLiesThere() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let key = try #require(bench.record.aesKey)
        let ciphertext = try await bench.run {
            try await BackupFlow(driver: $0, cvc: CVC(FlowBench.cvc)).backup(to: "b.aes") { _ in }
        }.ciphertext
        let own = try await EncryptedBackup(ciphertext) { try Backup.Key(hex: key) }.opened(wholly: true)
        let other = try await encrypted(SampleWallet(seed: 9).master).opened()
        for isRequired in [false, true] {
            let person = ScriptedInteraction(cvc: FlowBench.cvc)
            let manager = try bench.manager(person)
            let match = try await manager.compare(own, isRequired: isRequired)
            #expect(match?.card.ident == bench.ident && match?.path == bench.record.path)
            #expect(person.words == ["cvc"])
            let error = await #expect(throws: FlowError.self) {
                try await manager.compare(other, isRequired: isRequired)
            }
            #expect(error?.code == .otherCardsBackup && error?.code.condemnsBackup == true)
        }
    }

    /// Where no card is required, none is no failure; but one that is there must give its proof.
    @Test func aCardThatIsThereIsNoHalfCheck() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let backup = try await encrypted(bench.wallet().master).opened()
        let person = ScriptedInteraction { _ in throw ScriptedInteraction.Declined() }
        let manager = try bench.manager(person)
        await #expect(throws: ScriptedInteraction.Declined.self) {
            try await manager.compare(backup, isRequired: false)
        }
        let error = await #expect(throws: CardSearchError.self) {
            try await manager.compare(backup, isRequired: false, network: .main)
        }
        #expect(error?.code == .wrongNetwork)
        #expect(await manager.isSomethingThere())

        bench.reader.pull()
        // Nobody waits for a card that is not required.
        let patient = try bench.manager(person, patience: .unlimited)
        #expect(try await patient.compare(backup, isRequired: false) == nil)
        #expect(await !patient.isSomethingThere())
        let missing = await #expect(throws: CardSearchError.self) { try await manager.compare(backup) }
        #expect(missing?.code == .noCard && person.words == ["cvc"])
    }

    @Test func otherProductsHaveNoBackup() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(using: &generator)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let backup = try await encrypted(SampleWallet(seed: 1).master).opened()
        let manager = try bench.manager(person)
        await #expect(throws: FlowError.wrongProduct(.satscard, task: "have made this backup")) {
            try await manager.compare(backup, isRequired: false)
        }
        #expect(person.words.isEmpty)
    }
}
