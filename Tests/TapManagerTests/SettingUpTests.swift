import Bitcoin
import ExplainedErrors
import FlowSupport
import SmartCard
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Setting cards up through the manager: what is asked, in which order, and what is refused before anything is.
@Suite struct SettingUpTests {
    private static let newCVC = "271828"

    private func file(in folder: TemporaryFolder, _ ident: CardIdent) -> BackupFile {
        BackupFile(path: folder.url.path + "/b.aes", ident: ident)
    }

    /// A SATSCARD whose next slot has no key.
    private func satscard(
        _ version: TapSimulator.AppletVersion = .newest, opened: Int = 3, isTampered: Bool = false
    ) throws -> FlowBench {
        var generator = SeededGenerator()
        return try FlowBench.satscard(version, opened: opened, isBlank: true, using: &generator) {
            $0.isTampered = isTampered
        }
    }

    @Test func theNewCVCIsAskedForBehindThePresentOne() async throws {
        var generator = SeededGenerator()
        let (bench, folder) = (try FlowBench(using: &generator), try TemporaryFolder())
        let person = ScriptedInteraction(cvc: FlowBench.cvc, newCVC: Self.newCVC)
        let manager = try bench.manager(person)
        let (card, file) = (try await manager.card(), file(in: folder, bench.ident))
        let result = try await manager.setUp(card, backup: file)
        #expect(person.words == ["cvc", "newCVC"])
        #expect(bench.record.cvc == Self.newCVC && result.isKeyNew && result.isCVCNew && !result.wasReady)
        #expect(result.account.masterFingerprint == (try bench.wallet().fingerprint))
        #expect(bench.store.card(bench.ident)?.fingerprint == result.account.masterFingerprint)
        let saved = try #require(result.backup).ciphertext
        #expect(try AtomicFile.holds(saved.bytes, file.path) == true)
        #expect(bench.store.flows().isEmpty)
    }

    /// A wrong CVC costs one try, and asks nobody for a new CVC twice.
    @Test func afterAWrongCVCOnlyThatIsAskedForAgain() async throws {
        var generator = SeededGenerator()
        let (bench, folder) = (try FlowBench(using: &generator), try TemporaryFolder())
        let person = ScriptedInteraction(
            give: { $0.refusal == nil ? "999999" : FlowBench.cvc }, newCVC: Self.newCVC)
        let manager = try bench.manager(person)
        let card = try await manager.card()
        _ = try await manager.setUp(card, backup: file(in: folder, bench.ident))
        #expect(person.words == ["cvc", "newCVC", "cvc again"])
        #expect(bench.watch.wrongCVCs == 1 && bench.record.cvc == Self.newCVC)
    }

    /// Whoever has to make up the new CVC hears before that whether the current one is right. It costs one try, as ever.
    @Test(arguments: [false, true]) func aMistypedCVCIsKnownBeforeTheNewOneIsAskedFor(_ isReady: Bool) async throws {
        var generator = SeededGenerator()
        let bench = isReady ? try await FlowBench.ready(using: &generator) : try FlowBench(using: &generator)
        let folder = try TemporaryFolder()
        let person = ScriptedInteraction(
            give: { $0.refusal == nil ? "999999" : FlowBench.cvc }, newCVC: Self.newCVC)
        let manager = try bench.manager(person)
        var goal = SetupGoal(keepsCVC: false)
        goal.triesCVCFirst = true
        _ = try await manager.setUp(try await manager.card(), goal, backup: file(in: folder, bench.ident))
        #expect(person.words == (isReady ? ["changeReadyCard"] : []) + ["cvc", "cvc again", "newCVC"])
        #expect(bench.watch.wrongCVCs == 1 && bench.record.cvc == Self.newCVC && bench.store.flows().isEmpty)
    }

    /// A program that sets up only new cards leaves every other as it is, and asks nobody for a CVC.
    @Test func aCardWithAKeyIsNoNewCard() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let person = ScriptedInteraction(cvc: FlowBench.cvc, newCVC: Self.newCVC)
        let manager = try bench.manager(person)
        var goal = SetupGoal()
        goal.isForNewCards = true
        let error = await #expect(throws: FlowError.self) {
            try await manager.setUp(try await manager.card(), goal)
        }
        #expect(error == .alreadySetUp && error?.code == .alreadySetUp && person.words.isEmpty)
        #expect(bench.record.cvc == FlowBench.cvc)

        let (new, folder) = (try FlowBench(using: &generator), try TemporaryFolder())
        let other = try new.manager(person)
        let result = try await other.setUp(try await other.card(), goal, backup: file(in: folder, new.ident))
        #expect(result.isKeyNew && new.record.cvc == Self.newCVC)
    }

    /// Where the card may have either of two CVCs, the given one is not tried by itself: the flow finds out which.
    @Test func aCVCInDoubtIsNotTriedFirst() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        bench.store.record(.changeCVC(ChangeCVCState(lastTried: nil)), of: bench.ident, at: 1)
        let person = ScriptedInteraction(cvc: "111111", newCVC: FlowBench.cvc)
        let manager = try bench.manager(person)
        var goal = SetupGoal()
        goal.triesCVCFirst = true
        let folder = try TemporaryFolder()
        _ = try await manager.setUp(try await manager.card(), goal, backup: file(in: folder, bench.ident))
        #expect(person.words == ["cvc", "newCVC"] && bench.watch.wrongCVCs == 0)
    }

    /// A card that nobody should use is refused before anybody types a CVC for it.
    @Test func aCardOfAnotherFactoryIsRefusedBeforeAnybodyIsAsked() async throws {
        var generator = SeededGenerator()
        let signer = try FlowBench(using: &generator) { $0.factory = .development }
        let slots = try FlowBench.satscard(opened: 2, isBlank: true, using: &generator) { $0.factory = .development }
        for bench in [signer, slots] {
            let person = ScriptedInteraction(cvc: FlowBench.cvc, newCVC: Self.newCVC)
            let manager = try bench.manager(person)
            let card = try await manager.card()
            let error = await #expect(throws: FlowError.self) {
                if card.status.product == .satscard {
                    _ = try await manager.setUpSlot(card)
                } else {
                    _ = try await manager.setUp(card)
                }
            }
            #expect(error?.code == .notGenuine && person.words.isEmpty)
        }
    }

    /// A lockout is told before anything is asked, once, and waited out before the CVC is sent.
    @Test func aLockoutIsToldBeforeAnythingIsAsked() async throws {
        let uses: [(words: [String], use: @Sendable (CardManager, CardAtHand) async throws -> Void)] = [
            (["lockedOut", "cvc"], { _ = try await $0.setUpSlot($1) }),
            (["lockedOut", "cvc"], { _ = try await $0.slots(of: $1, provingKeys: true) }),
            (["lockedOut", "showSlotKeys", "cvc"], { _ = try await $0.slotsWithKeys(of: $1) }),
            (
                ["lockedOut", "signMessage", "cvc"],
                {
                    _ = try await $0.signMessage(
                        [1], by: .slot(SlotNumber(index: 0)), format: .bip137, on: $1)
                }
            ),
            (["lockedOut", "unseal", "cvc"], { _ = try await $0.unseal($1) { _ in } }),
            // Nothing is asked, and no CVC is needed.
            ([], { _ = try await $0.slots(of: $1) }),
        ]
        for (number, (words, use)) in uses.enumerated() {
            let bench = try satscard()
            try await bench.enterWrongCVCs()
            let person = ScriptedInteraction(cvc: FlowBench.cvc)
            let manager = try bench.manager(person)
            try await use(manager, try await manager.card())
            #expect(person.words == words, "\(number)")
            #expect(bench.record.authDelay == (words.isEmpty ? 15 : 0), "\(number)")
        }
    }

    @Test func aCardMayKeepItsCVC() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(.satschip, using: &generator)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try bench.manager(person)
        let card = try await manager.card()
        let path = try DerivationPath(parsing: "m/84h/1h/5h")
        let code = ChainCode(repeating: 0x5A)
        let result = try await manager.setUp(
            card, SetupGoal(path: path, chainCode: code, keepsCVC: true),
            backup: BackupFile(path: "/none/b.aes", ident: bench.ident))
        // A SATSCHIP has no backup: where it would go keeps nobody from setting it up.
        #expect(person.words == ["noBackup", "cvc"])
        #expect(result.account.path == path && result.backup == nil && bench.record.cvc == FlowBench.cvc)
        #expect(try bench.wallet().master.neutered.chainCode == code)
    }

    @Test func whatWillNotBeSetUpIsRefusedBeforeAnybodyIsAsked() async throws {
        var generator = SeededGenerator()
        let folder = try TemporaryFolder()
        let bench = try FlowBench(using: &generator)
        let person = ScriptedInteraction(cvc: FlowBench.cvc, newCVC: Self.newCVC)
        let manager = try bench.manager(person)
        let card = try await manager.card()
        for (path, code) in [
            (folder.url.path + "/none/b.aes", ErrorCode.cannotWrite), ("/dev/null", .cannotWrite),
            (folder.url.path, .cannotWrite),
        ] {
            let error = await #expect(throws: BackupFileError.self) {
                try await manager.setUp(card, backup: BackupFile(path: path, ident: bench.ident))
            }
            #expect(error?.code == code, "\(path)")
        }
        try AtomicFile.write([UInt8](repeating: 1, count: 130), to: folder.url.path + "/other.aes", mode: 0o600)
        let other = await #expect(throws: BackupFileError.self) {
            try await manager.setUp(card, backup: BackupFile(path: folder.url.path + "/other.aes", ident: bench.ident))
        }
        #expect(other?.code == .wouldOverwrite)
        let bad = SetupGoal(path: try DerivationPath(parsing: "m/84h/0"))
        await #expect(throws: FlowError.badPath(try DerivationPath(parsing: "m/84h/0"))) {
            try await manager.setUp(card, bad, backup: file(in: folder, bench.ident))
        }
        await #expect(throws: FlowError.wrongProduct(.tapsigner, task: .setUpSlot)) {
            try await manager.setUpSlot(card)
        }
        #expect(person.words.isEmpty && bench.asked.isSubset(of: FlowBench.finding))

        let tampered = try FlowBench(using: &generator) { $0.isTampered = true }
        let witness = ScriptedInteraction(cvc: FlowBench.cvc, newCVC: Self.newCVC)
        let found = try tampered.manager(witness)
        let broken = try await found.card()
        await #expect(throws: FlowError.tampered) {
            try await found.setUp(broken, backup: file(in: folder, tampered.ident))
        }
        #expect(witness.words == ["tampered"] && tampered.asked.isSubset(of: FlowBench.finding))
    }

    /// Another card in the card's place learns no CVC, and is not set up.
    @Test func aCardThatWasSwappedIsNotSetUp() async throws {
        var generator = SeededGenerator()
        let folder = try TemporaryFolder()
        let (bench, other) = (try FlowBench(using: &generator), try FlowBench(using: &generator))
        let person = ScriptedInteraction(cvc: FlowBench.cvc, newCVC: Self.newCVC)
        let manager = try bench.manager(person)
        let card = try await manager.card()
        await card.card.disconnect()
        bench.reader.pull()
        bench.reader.insert(other.simulated)
        let error = await #expect(throws: FlowError.self) {
            try await manager.setUp(card, backup: file(in: folder, bench.ident))
        }
        #expect(error?.code == .anotherCard)
        #expect(bench.asked.isSubset(of: FlowBench.finding))
        #expect(try other.record.masterKey == nil && other.record.cvc == FlowBench.cvc)
        #expect(AtomicFile.length(of: file(in: folder, bench.ident).path) == nil)
    }

    /// A card that is ready is changed only when that was confirmed: a path before the CVC is asked for, another CVC as soon as
    /// it is known that the card does not have it yet.
    @Test func aReadyCardIsChangedOnlyWhenThatIsConfirmed() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let path = try DerivationPath(parsing: "m/84h/1h/5h")
        func setUp(_ person: ScriptedInteraction, _ goal: SetupGoal) async throws -> CardSetup {
            let manager = try bench.manager(person)
            let card = try await manager.card()
            #expect(try manager.isReady(card))
            return try await manager.setUp(card, goal)
        }
        let no = { @Sendable in
            ScriptedInteraction(
                decide: { _ in throw ScriptedInteraction.Declined() }, give: { _ in FlowBench.cvc },
                newCVC: Self.newCVC)
        }
        let refusing = no()
        await #expect(throws: ScriptedInteraction.Declined.self) {
            _ = try await setUp(refusing, SetupGoal(path: path, keepsCVC: true))
        }
        #expect(refusing.words == ["changeReadyCard"])
        let keeping = no()
        await #expect(throws: ScriptedInteraction.Declined.self) {
            _ = try await setUp(keeping, SetupGoal(keepsCVC: false))
        }
        #expect(keeping.words == ["changeReadyCard"])
        #expect(bench.record.cvc == FlowBench.cvc && bench.store.flows().isEmpty)

        // Nothing to change: nothing is asked, and no backup made.
        let same = no()
        let ready = try await setUp(same, SetupGoal())
        #expect(same.words == ["cvc"] && ready.backup == nil && !ready.isKeyNew)
        #expect(ready.wasReady && !ready.isCVCNew)

        let agreeing = ScriptedInteraction(cvc: FlowBench.cvc, newCVC: Self.newCVC)
        let moved = try await setUp(agreeing, SetupGoal(path: path, keepsCVC: false))
        #expect(moved.account.path == path && moved.wasReady && moved.isCVCNew)
        #expect(agreeing.words == ["changeReadyCard", "cvc", "newCVC"] && bench.record.cvc == Self.newCVC)

        // Whoever does not know that it is done gives the same two once more.
        let again = ScriptedInteraction(cvc: FlowBench.cvc, newCVC: Self.newCVC)
        _ = try await setUp(again, SetupGoal(keepsCVC: false))
        #expect(again.words == ["changeReadyCard", "cvc", "newCVC"] && bench.record.cvc == Self.newCVC)
    }

    @Test func aSlotGetsAKey() async throws {
        let bench = try satscard()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try bench.manager(person)
        let card = try await manager.card()
        let code = ChainCode(repeating: 0x5A)
        let result = try await manager.setUpSlot(card, chainCode: code)
        #expect(person.words == ["cvc"])
        #expect(result.report.slot.index == 3 && result.report.isSealProven && result.hasOurChainCode)
        #expect(try bench.chainCode(result.report.slot) == code)
        // Set up already, it has to have the chain code that is named.
        await #expect(throws: FlowError.otherChainCode) {
            try await manager.setUpSlot(card, chainCode: ChainCode(repeating: 1))
        }
        #expect(try await !manager.setUpSlot(card).hasOurChainCode)
        // It has nothing to do for that which needs a CVC.
        #expect(person.words == ["cvc"])
    }

    /// Before version 1.0.0 nothing proves a seal: that is asked about before the CVC, and a no costs nothing.
    @Test func whereNothingProvesTheSealSomebodyIsAsked() async throws {
        let bench = try satscard(.v090)
        let person = ScriptedInteraction(decide: { _ in throw Declined() }, give: { _ in FlowBench.cvc })
        let manager = try bench.manager(person)
        let card = try await manager.card()
        await #expect(throws: Declined.self) { try await manager.setUpSlot(card) }
        #expect(person.words == ["setUpUnprovenSlot"])
        #expect(try bench.slotStates()[3] == .unused)

        let agreeing = ScriptedInteraction(cvc: FlowBench.cvc)
        let again = try bench.manager(agreeing)
        let result = try await again.setUpSlot(try await again.card())
        #expect(agreeing.words == ["setUpUnprovenSlot", "cvc"])
        #expect(!result.report.isSealProven)
        #expect(try bench.slotStates()[3] == .sealed)
    }

    @Test func aCardWithoutASlotToSetUpIsRefusedBeforeAnybodyIsAsked() async throws {
        var generator = SeededGenerator()
        for (version, isTampered, expected) in [
            (TapSimulator.AppletVersion.v103, true, FlowError.tampered), (.v103, false, .usedUp),
            (.v090, false, .usedUp),
        ] {
            let bench = try FlowBench.satscard(version, opened: isTampered ? 2 : 10, using: &generator) {
                $0.isTampered = isTampered
            }
            let person = ScriptedInteraction(cvc: FlowBench.cvc)
            let manager = try bench.manager(person)
            let card = try await manager.card()
            let error = await #expect(throws: FlowError.self) { try await manager.setUpSlot(card) }
            #expect(error == expected, "\(version)")
            #expect(person.words == (isTampered ? ["tampered"] : []), "\(version)")
        }
    }
}
