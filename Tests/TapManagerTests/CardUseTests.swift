import Bitcoin
import ByteCodec
import FlowSupport
import LyingCards
import SmartCard
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// What a manager does with one card that was found: what it asks, and what it refuses before.
@Suite struct CardUseTests {
    private let path = "m/84h/1h/3h"

    private func begin(
        _ bench: FlowBench, _ person: ScriptedInteraction
    ) async throws -> (manager: CardManager, card: CardAtHand) {
        let manager = try bench.manager(person)
        return (manager, try await manager.card())
    }

    private func ready(_ product: SimulatedProduct = .tapsigner) async throws -> FlowBench {
        var generator = SeededGenerator()
        return try await FlowBench.ready(product, using: &generator)
    }

    @Test func theNewCVCIsAskedForBehindThePresentOne() async throws {
        let bench = try await ready()
        let person = ScriptedInteraction(cvc: FlowBench.cvc, newCVC: "87654321")
        let (manager, card) = try await begin(bench, person)
        try await manager.changeCVC(of: card)
        #expect(person.words == ["cvc", "newCVC"])
        #expect(bench.record.cvc == "87654321" && bench.store.flows().isEmpty)
    }

    /// Where a change was interrupted the other CVC may be the right one, and whoever asks for it can say so.
    @Test(arguments: [false, true]) func aRefusedCVCMayBeTheOther(_ isInterrupted: Bool) async throws {
        let bench = try await ready()
        let person = ScriptedInteraction { request in request.refusal == nil ? "111111" : FlowBench.cvc }
        let (manager, card) = try await begin(bench, person)
        if isInterrupted {
            try manager.driver(for: card).journal.record(.changeCVC(ChangeCVCState(lastTried: nil)))
        }
        _ = try await manager.account(of: card)
        let refusals = person.entries.compactMap { if case .cvc(let request) = $0 { request.refusal } else { nil } }
        #expect(refusals.map(\.isInDoubt) == [isInterrupted] && refusals.map(\.isRepeated) == [false])
    }

    /// No card is told to change its CVC into itself: that would spend nothing, and say that something was changed. Where an
    /// earlier run was interrupted, the card may have the new one by now.
    @Test(arguments: [false, true]) func theNewCVCIsAnother(_ isInterrupted: Bool) async throws {
        let bench = try await ready()
        let person = ScriptedInteraction(cvc: FlowBench.cvc, newCVC: FlowBench.cvc)
        let (manager, card) = try await begin(bench, person)
        if isInterrupted {
            try manager.driver(for: card).journal.record(.changeCVC(ChangeCVCState(lastTried: nil)))
            try await manager.changeCVC(of: card)
        } else {
            await #expect(throws: FlowError.unchangedCVC) { try await manager.changeCVC(of: card) }
            #expect(bench.asked.isSubset(of: FlowBench.finding))
            await #expect(throws: FlowError.unchangedCVC) { try await manager.setUp(card, SetupGoal(keepsCVC: false)) }
            // The card was proven, for which it needs no CVC.
            #expect(bench.asked.isSubset(of: FlowBench.finding.union(["check", "certs"])))
        }
        #expect(bench.record.cvc == FlowBench.cvc && bench.store.flows().isEmpty)
    }

    /// Somebody who has no new CVC leaves the card as it is.
    @Test func withoutANewCVCNothingIsChanged() async throws {
        let bench = try await ready()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let (manager, card) = try await begin(bench, person)
        await #expect(throws: ScriptedInteraction.Declined.self) { try await manager.changeCVC(of: card) }
        #expect(person.words == ["cvc", "newCVC"] && bench.asked.isSubset(of: FlowBench.finding))
        #expect(bench.record.cvc == FlowBench.cvc && bench.store.flows().isEmpty)
    }

    /// A change whose end is not known stays in the journal when the two CVCs that are given next are both wrong.
    @Test func aCVCThatIsInDoubtStaysSo() async throws {
        let bench = try await ready()
        bench.store.record(.changeCVC(ChangeCVCState(lastTried: nil)), of: bench.ident, at: 1)
        let person = ScriptedInteraction(cvc: "111111", newCVC: "222222")
        let (manager, card) = try await begin(bench, person)
        let error = await #expect(throws: FlowError.self) { try await manager.changeCVC(of: card) }
        #expect(error?.code == .wrongCVC && bench.record.cvc == FlowBench.cvc)
        #expect(manager.unfinished(of: bench.ident).flows.map(\.work) == [.changeCVC])
    }

    @Test func aCardIsMoved() async throws {
        let bench = try await ready()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let (manager, card) = try await begin(bench, person)
        let wanted = try DerivationPath(parsing: path)
        let account = try await manager.derive(wanted, on: card)
        #expect(account.path == wanted && person.words == ["cvc"])
        guard case .cvc(let request)? = person.entries.first else { throw Declined() }
        #expect(request.purpose == .derive(wanted))
        #expect(bench.record.path?.description == path)
        #expect(bench.store.card(bench.ident)?.fingerprint == account.masterFingerprint)

        let bad = try DerivationPath(parsing: "m/84h/1")
        await #expect(throws: FlowError.badPath(bad)) { try await manager.derive(bad, on: card) }
        #expect(person.words == ["cvc"])
    }

    @Test func anAccountComesWithTheMasterKey() async throws {
        let bench = try await ready()
        let (manager, card) = try await begin(bench, ScriptedInteraction(cvc: FlowBench.cvc))
        let found = try await manager.account(of: card)
        let master = try bench.wallet().master.neutered
        #expect(found.masterKey == master && found.account.masterFingerprint == master.fingerprint)
    }

    @Test func aBackupIsSavedAndComparedWithItsCard() async throws {
        let (bench, folder) = (try await ready(), try TemporaryFolder())
        let person = ScriptedInteraction(cvc: FlowBench.cvc, backupKey: bench.record.aesKey)
        let (manager, card) = try await begin(bench, person)
        let file = BackupFile(path: folder.url.path + "/b.aes", ident: bench.ident)
        let saved = try await manager.backUp(card, to: file)
        #expect(try saved.count == 2 && AtomicFile.holds(saved.ciphertext.bytes, file.path) == true)
        let backup = try await manager.openBackup(saved.ciphertext, for: .check)
        #expect(try await manager.compare(backup)?.path.description == bench.record.path?.description)
        #expect(person.words == ["cvc", "backupKey", "cvc"])

        // A file that cannot be written is told before anybody is asked, and the card counts no backup.
        let nowhere = BackupFile(path: folder.url.path + "/none/b.aes", ident: bench.ident)
        await #expect(throws: BackupFileError.self) { try await manager.backUp(card, to: nowhere) }
        try AtomicFile.write([1, 2, 3], to: folder.url.path + "/other", mode: 0o600)
        let other = BackupFile(path: folder.url.path + "/other", ident: bench.ident)
        await #expect(throws: BackupFileError.self) { try await manager.backUp(card, to: other) }
        #expect(person.words == ["cvc", "backupKey", "cvc"] && bench.record.backups == 2)
    }

    @Test func aCardOfAnotherKindIsRefusedBeforeAnybodyIsAsked() async throws {
        var generator = SeededGenerator()
        let satscard = try FlowBench.satscard(using: &generator)
        let person = ScriptedInteraction(cvc: FlowBench.cvc, newCVC: "87654321")
        let (manager, card) = try await begin(satscard, person)
        let file = BackupFile(path: "/none/b.aes", ident: satscard.ident)
        let wanted = try DerivationPath(parsing: path)
        await #expect(throws: FlowError.wrongProduct(.satscard, task: .backUp)) {
            try await manager.backUp(card, to: file)
        }
        await #expect(throws: FlowError.wrongProduct(.satscard, task: .changeCVC)) {
            try await manager.changeCVC(of: card)
        }
        await #expect(throws: FlowError.wrongProduct(.satscard, task: .derive)) {
            try await manager.derive(wanted, on: card)
        }
        await #expect(throws: FlowError.wrongProduct(.satscard, task: .setUp)) { try await manager.setUp(card) }
        #expect(person.words.isEmpty && satscard.asked.isSubset(of: FlowBench.finding))
    }

    /// Nobody is asked for a CVC to prove what needs none; with it, the keys are proven too.
    @Test func theCVCIsAskedForOnlyToProveKeys() async throws {
        let bench = try await ready()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let (manager, card) = try await begin(bench, person)
        let looked = try await manager.verify(card)
        #expect(looked.holds && person.words.isEmpty)
        #expect(try await manager.prove(card).verdict.isAccepted && person.words.isEmpty)
        let proven = try await manager.verify(card, provingKeys: true)
        #expect(proven.holds && person.words == ["cvc"])
        #expect(proven.proofs.contains { $0.name == .proof(.account) && $0.isProven })
        #expect(!looked.proofs.contains { $0.name == .proof(.account) && $0.isProven })
    }

    @Test func aDelayIsWaitedOff() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 1, using: &generator)
        try await bench.enterWrongCVCs()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let (manager, card) = try await begin(bench, person)
        try await manager.waitOffSecurityDelay(of: card)
        #expect(bench.record.authDelay == 0 && person.words.isEmpty)
    }

    /// A delay that no card has is not waited off, and one that always comes back is not waited off again and again.
    @Test func aDelayWithoutEndIsGivenUp() async throws {
        let bench = try await ready()
        let (manager, card) = try await begin(bench, ScriptedInteraction(cvc: FlowBench.cvc))
        bench.watch.disturbance = Liar(when: .status, tell: .add("auth_delay", .unsigned(4_294_967_295)))
        let long = await #expect(throws: FlowError.self) { try await manager.waitOffSecurityDelay(of: card) }
        #expect(long?.code == .rateLimited)

        // Of this version the status is asked for again behind each wait.
        var generator = SeededGenerator()
        let old = try FlowBench.satscard(.v090, opened: 1, using: &generator)
        old.watch.disturbance = Liar(when: .status, tell: .add("auth_delay", .unsigned(1)))
        let again = await #expect(throws: FlowError.self) {
            try await old.command { _, driver in
                _ = try await SlotsFlow(driver: driver, cvc: CVC(FlowBench.cvc)).one(SlotNumber(index: 0))
            }
        }
        #expect(again?.code == .rateLimited)
    }

    @Test func aMessageIsSigned() async throws {
        let bench = try await ready()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let (manager, card) = try await begin(bench, person)
        let message = Array("Hello".utf8)
        let subpath = try DerivationPath(parsing: "m/0/0")
        let signed = try await manager.signMessage(
            message, by: .path(subpath, nil), format: .bip322Simple, network: .signet, on: card)
        #expect(person.words == ["signMessage", "cvc"] && signed.address.network == .signet)
        #expect(
            SignedMessage.verify(
                message: message, scriptPubKey: signed.address.scriptPubKey, signature: signed.signature.description
            ).isValid)
    }

    /// The question comes before the CVC, and a no ends it. It tells the address once the card has proven its account.
    @Test func aMessageIsConfirmedFirst() async throws {
        let bench = try await ready()
        let (message, subpath) = (Array("Hello".utf8), try DerivationPath(parsing: "m/0/3"))
        let no = ScriptedInteraction(isAgreed: false)
        let (manager, card) = try await begin(bench, no)
        await #expect(throws: ScriptedInteraction.Declined.self) {
            try await manager.signMessage(message, by: .path(subpath, nil), format: .bip137, on: card)
        }
        #expect(no.words == ["signMessage"])
        let own = try #require(bench.record.path)
        for isKnown in [false, true] {
            let person = ScriptedInteraction(cvc: FlowBench.cvc)
            let (manager, card) = try await begin(bench, person)
            if isKnown { _ = try await manager.account(of: card) }
            let signed = try await manager.signMessage(
                message, by: .path(subpath, nil), format: .bip137, network: .signet, on: card)
            let questions = person.entries.compactMap { entry in
                if case .otherQuestion(.signMessage(let question)) = entry { question } else { nil }
            }
            let question = try #require(questions.first)
            #expect(question.signer.ident == bench.ident && question.message == message)
            #expect(question.key == .path(own.appending(subpath)))
            #expect(question.address == signed.address || (!isKnown && question.address == nil))
            #expect(!isKnown || question.address != nil)
        }
    }

    /// A SATSCARD signs with the key of a slot that was opened.
    @Test func aSlotsMessageIsConfirmedFirst() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 1, using: &generator)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let (manager, card) = try await begin(bench, person)
        let signed = try await manager.signMessage([1], by: .slot(nil), format: .bip137, on: card)
        guard case .otherQuestion(.signMessage(let question))? = person.entries.first else {
            Issue.record("\(person.words)")
            return
        }
        // Which slot signs, and as which address, is known before anybody agrees.
        #expect(question.key == .slot(SlotNumber(index: 0)) && question.address == signed.address)
        #expect(person.words == ["signMessage", "cvc"])
    }

    /// A key that the card does not have is refused before anybody is asked.
    @Test func aMessageIsSignedWithAKeyOfTheCardAlone() async throws {
        var generator = SeededGenerator()
        let (signer, slots) = (try await ready(), try FlowBench.satscard(opened: 1, using: &generator))
        for (bench, wrong) in [(signer, MessageSigner.slot(nil)), (slots, .path(DerivationPath(), nil))] {
            let person = ScriptedInteraction(cvc: FlowBench.cvc)
            let (manager, card) = try await begin(bench, person)
            let error = await #expect(throws: FlowError.self) {
                try await manager.signMessage([1], by: wrong, format: .bip137, on: card)
            }
            #expect(error?.code == .notSupported && person.words.isEmpty)
        }
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let (manager, card) = try await begin(signer, person)
        for text in ["m/0h", "m/0/0/0"] {
            let path = try DerivationPath(parsing: text)
            await #expect(throws: FlowError.badPath(path)) {
                try await manager.signMessage([1], by: .path(path, nil), format: .bip137, on: card)
            }
        }
        #expect(person.words.isEmpty)
    }

    /// The next step of a card, from what it says and proves without its CVC.
    @Test func whatIsToBeDoneNext() async throws {
        var generator = SeededGenerator()
        let (fresh, signer) = (try FlowBench(using: &generator), try await ready())
        let foreign = try FlowBench(using: &generator) { $0.factory = .development }
        let slots = try FlowBench.satscard(opened: 1, using: &generator)
        let delayed = try FlowBench.satscard(opened: 1, using: &generator)
        try await delayed.enterWrongCVCs()
        let cosigner = try await ready()
        let (mover, found) = try await begin(cosigner, ScriptedInteraction(cvc: FlowBench.cvc))
        _ = try await mover.derive(DerivationPath(parsing: "m/48h/1h/0h/2h"), on: found)
        let rows: [(FlowBench, CardStep)] = [
            (fresh, .setUp), (signer, .use), (cosigner, .cosign), (foreign, .doNotUse),
            (slots, .slot(.sealed(isProven: true))), (delayed, .waitOffDelay),
        ]
        for (index, (bench, step)) in rows.enumerated() {
            let (manager, card) = try await begin(bench, ScriptedInteraction(cvc: FlowBench.cvc))
            let proof = try await manager.prove(card)
            #expect(CardStep(proof.status, proof.verdict, proof.slotState) == step, "row \(index)")
            let hasSlots = try bench.record.slots != nil
            #expect((proof.addressToPay != nil) == hasSlots, "row \(index)")
        }
    }

    /// What is signed is confirmed before the CVC; the account and the signature over it need that once.
    @Test func aKeyRecordIsSigned() async throws {
        let bench = try await ready()
        let no = ScriptedInteraction(isAgreed: false)
        let (refusing, first) = try await begin(bench, no)
        let asked = bench.reader.exchangeCounts
        await #expect(throws: ScriptedInteraction.Declined.self) {
            try await refusing.keyRecord(of: first, token: .none, description: "mine")
        }
        #expect(no.words == ["signKeyRecord"] && bench.reader.exchangeCounts["sign"] == asked["sign"])

        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let (manager, card) = try await begin(bench, person)
        let (found, text) = try await manager.keyRecord(of: card, token: .none, description: "mine")
        #expect(person.words == ["signKeyRecord", "cvc"])
        guard case .otherQuestion(.signKeyRecord(_, let path, let key, false, "mine"))? = person.entries.first,
            case .cvc(let request)? = person.entries.last
        else {
            Issue.record("\(person.entries)")
            return
        }
        #expect(path == found.account.path && (key == nil || key == found.account.key))
        #expect(request.purpose == .signKeyRecord(description: "mine"))
        let record = try BSMSKeyRecord(token: .none, key: AccountKey(found.account), description: "mine")
        let signature = try #require(text.split(separator: "\n").last)
        #expect(record.text(signature: String(signature)) == text)
        await #expect(throws: ExportError.badText) {
            try await manager.keyRecord(of: card, token: .none, description: "two\nlines")
        }
    }

    /// A key that the card proved before is shown; if the card is at another path by now, what it shows is confirmed, too.
    @Test func aKeyRecordIsOfTheKeyThatWasConfirmed() async throws {
        let bench = try await ready()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let (manager, card) = try await begin(bench, person)
        let account = try await manager.account(of: card).account
        let token = try #require(BSMSToken(hex: "a54044308ceac9b7"))
        _ = try await manager.keyRecord(of: card, token: token, description: "mine")
        guard
            case .otherQuestion(.signKeyRecord(_, account.path, account.key, true, "mine"))? =
                person.entries.dropFirst().first
        else {
            Issue.record("\(person.entries)")
            return
        }
        // Another program moves the card behind this one's back.
        let away = try DerivationPath(parsing: "m/48h/1h/0h/2h")
        let other = TapCard(reader: bench.reader)
        _ = try await other.perform { try $0.setPath(away, cvc: CVC(FlowBench.cvc)) }
        await other.disconnect()
        let found = try await manager.keyRecord(of: card, token: .none, description: "mine").account.account
        guard case .otherQuestion(.signKeyRecord(_, away, let shown?, false, _))? = person.entries.last else {
            Issue.record("\(person.words)")
            return
        }
        #expect(found.path == away && shown == found.key)
        #expect(person.words.suffix(3) == ["signKeyRecord", "cvc", "signKeyRecord"])
    }

    @Test func aLinkIsVerified() async throws {
        let bench = try await ready()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let (manager, card) = try await begin(bench, person)
        let link = try await manager.tapLink(of: card)
        #expect(link.proven?.ident == bench.ident && person.words.isEmpty)
    }

    /// Another card in the card's place answers nothing in its name.
    @Test func aCardThatWasSwappedIsToldApart() async throws {
        let bench = try await ready()
        let other = try await bench.stranger()
        let (manager, card) = try await begin(bench, ScriptedInteraction(cvc: FlowBench.cvc, newCVC: "87654321"))
        await card.card.disconnect()
        bench.reader.pull()
        bench.reader.insert(other.simulated)
        let uses: [@Sendable () async throws -> Void] = [
            { _ = try await manager.prove(card) }, { _ = try await manager.tapLink(of: card) },
            { try await manager.waitOffSecurityDelay(of: card) }, { try await manager.changeCVC(of: card) },
            { _ = try await manager.account(of: card) }, { _ = try await manager.verify(card, provingKeys: true) },
        ]
        for use in uses {
            let error = await #expect(throws: FlowError.self) { try await use() }
            #expect(error?.code == .anotherCard)
        }
        #expect(bench.asked.isSubset(of: FlowBench.finding) && other.record.cvc == FlowBench.cvc)
    }
}
