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
    private func manager(_ person: ScriptedInteraction) -> CardManager {
        CardManager(store: MemoryStore(), interaction: person, clock: { UnixTime(seconds: 7) })
    }

    /// Opened by somebody who types this key and agrees to everything.
    private func opened(
        _ ciphertext: EncryptedBackup, for purpose: BackupPurpose = .sign, network: Network? = nil,
        key: String = Backup.keyText
    ) async throws -> OpenedBackup {
        let person = ScriptedInteraction(cvc: FlowBench.cvc, backupKey: key)
        return try await manager(person).openBackup(ciphertext, for: purpose, network: network)
    }

    @Test func itOpensForItsOwnNetwork() async throws {
        let wallet = try SampleWallet(seed: 1)
        let isMain = wallet.master.network == .main
        let opened = try await opened(Backup.encrypted(wallet.master))
        #expect(opened.account.masterFingerprint == wallet.fingerprint && opened.network == (isMain ? .main : .test))
        #expect(opened.account.path.description == "m/84h/1h/0h")
        guard !isMain else { return }
        #expect(try await self.opened(Backup.encrypted(wallet.master), network: .signet).network == .signet)
        await #expect(throws: OtherNetwork(of: .backup, .test, asked: .main)) {
            try await self.opened(Backup.encrypted(wallet.master), network: .main)
        }
    }

    @Test func aWrongKeyAndACutOffPathAreTold() async throws {
        let master = try SampleWallet(seed: 1).master
        let error = await #expect(throws: TapError.self) {
            try await opened(Backup.encrypted(master), key: String(repeating: "0", count: 32))
        }
        #expect(error == .badBackup(.wrongKey) && error?.code.condemnsBackup == true)
        let cut = try Backup.encrypted(master, end: "")
        #expect(try await !opened(cut).backup.isPathWhole)
        await #expect(throws: TapError.badBackup(.cutOff)) { try await opened(cut, for: .check) }
        _ = try await opened(Backup.encrypted(master), for: .check)
    }

    /// Somebody who types one key after the other, and the last one for ever.
    private final class Typist: Interaction {
        private let keys: [String]
        private let told = Mutex<[TapError?]>([])

        init(_ keys: [String]) { self.keys = keys }

        var refusals: [TapError?] { told.withLock { $0 } }

        func confirm(_ question: Question) async throws { throw Declined() }
        func cvc(for request: CVCRequest) async throws -> CVC { throw Declined() }
        func notice(_ notice: Notice) {}

        func backupKey(for purpose: BackupPurpose, after refusal: TapError?) async throws -> Backup.Key {
            let count = told.withLock { told in
                told.append(refusal)
                return told.count
            }
            return try Backup.Key(hex: keys[min(count, keys.count) - 1])
        }
    }

    /// A key that does not open the backup is asked for again, with the reason, but not for ever.
    @Test func aWrongKeyIsAskedForAgain() async throws {
        let ciphertext = try Backup.encrypted(SampleWallet(seed: 1).master)
        let wrong = String(repeating: "0", count: 32)
        func open(_ typist: Typist) async throws {
            let manager = CardManager(store: MemoryStore(), interaction: typist, clock: { UnixTime(seconds: 7) })
            _ = try await manager.openBackup(ciphertext, for: .sign)
        }
        let typist = Typist([wrong, wrong, Backup.keyText])
        try await open(typist)
        #expect(typist.refusals == [nil, .badBackup(.wrongKey), .badBackup(.wrongKey)])
        let stubborn = Typist([wrong])
        await #expect(throws: TapError.badBackup(.wrongKey)) { try await open(stubborn) }
        #expect((3...10).contains(stubborn.refusals.count))
    }

    /// The interaction is the only one who knows the key, and hears what it is for; there is none without it.
    @Test func theKeyComesFromTheInteraction() async throws {
        let ciphertext = try Backup.encrypted(SampleWallet(seed: 1).master)
        for purpose in [BackupPurpose.check, .sign] {
            let person = ScriptedInteraction(cvc: FlowBench.cvc, backupKey: Backup.keyText)
            _ = try await manager(person).openBackup(ciphertext, for: purpose)
            guard case .backupKey(purpose)? = person.entries.first, person.entries.count == 1 else {
                Issue.record("\(person.entries)")
                continue
            }
        }
        let nobody = CardManager(store: MemoryStore(), clock: { UnixTime(seconds: 7) })
        let error = await #expect(throws: NobodyToAsk.Absence.self) {
            try await nobody.openBackup(ciphertext, for: .check)
        }
        #expect(error?.code == .keyNeeded)
        await #expect(throws: NobodyToAsk.Absence.confirmation) {
            try await nobody.openBackup(ciphertext, for: .showKey)
        }
    }

    /// Both questions need a yes; the key is not asked for before the first one, and the second one says whose it is.
    @Test func showingIsConfirmedTwice() async throws {
        let wallet = try SampleWallet(seed: 1)
        let order = ["openBackup", "backupKey", "showMasterKey"]
        for refused in [0, 1] {
            let asked = Mutex(0)
            let person = ScriptedInteraction(
                decide: { _ in
                    let count = asked.withLock { count in
                        defer { count += 1 }
                        return count
                    }
                    if count == refused { throw Declined() }
                }, give: { _ in FlowBench.cvc }, backupKey: Backup.keyText)
            await #expect(throws: Declined.self) {
                try await manager(person).openBackup(Backup.encrypted(wallet.master), for: .showKey)
            }
            #expect(person.words == Array(order.prefix(refused == 0 ? 1 : 3)))
        }
        let person = ScriptedInteraction(cvc: FlowBench.cvc, backupKey: Backup.keyText)
        let opened = try await manager(person).openBackup(Backup.encrypted(wallet.master, end: ""), for: .showKey)
        #expect(opened.backup.masterKey.text == wallet.master.text)
        #expect(person.words == order + ["backupCutOff"])
        guard case .otherQuestion(.showMasterKey(wallet.fingerprint)) = person.entries[2] else {
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
        let own = try await opened(ciphertext, for: .check, key: key)
        let other = try await opened(Backup.encrypted(SampleWallet(seed: 9).master))
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
        let backup = try await opened(Backup.encrypted(bench.wallet().master))
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
        let backup = try await opened(Backup.encrypted(SampleWallet(seed: 1).master))
        let manager = try bench.manager(person)
        await #expect(throws: FlowError.wrongProduct(.satscard, task: .compareBackup)) {
            try await manager.compare(backup, isRequired: false)
        }
        #expect(person.words.isEmpty)
    }
}
