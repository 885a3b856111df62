import Bitcoin
import ChainData
import FlowSupport
import SmartCard
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Sweeping through the manager: what is asked and in which order, what is gone on with, and what is never lost.
@Suite struct SweepRunTests {
    /// Opened slots with 20 000 and 30 000 sat, and one that is sealed.
    private func bench(_ habits: Set<CardHabit> = []) throws -> SweepBench {
        var generator = SeededGenerator()
        let bench = try SweepBench(opened: 2, habits: habits, using: &generator)
        try bench.fund(0, 20_000, salt: 1)
        try bench.fund(1, 30_000, salt: 2)
        return bench
    }

    private let yes = { @Sendable in ScriptedInteraction(cvc: FlowBench.cvc) }
    private let no = { @Sendable in
        ScriptedInteraction(decide: { _ in throw ScriptedInteraction.Declined() }) { _ in FlowBench.cvc }
    }

    private func question(_ person: ScriptedInteraction) throws -> SweepQuestion {
        let asked = person.entries.compactMap { entry -> SweepQuestion? in
            guard case .otherQuestion(.sweep(let question)) = entry else { return nil }
            return question
        }
        return try #require(asked.first)
    }

    @Test func theReviewComesBeforeTheCVC() async throws {
        let bench = try bench()
        try bench.fund(0, 5_000, salt: 3, height: nil)
        let person = yes()
        let report = try await bench.sweep(person)
        #expect(person.words == ["unconfirmedStay", "sweep", "cvc"])
        let asked = try question(person)
        #expect(asked.slots.map(\.index) == [0, 1] && asked.openedSlot == nil && asked.leftBehind.isEmpty)
        #expect(asked.review.lockTime > 0 && asked.review.isLockOpen(at: UnixTime(seconds: 0)))
        #expect(asked.review.inputs.count == 2 && asked.review.outputs.map(\.address) == [bench.destination])
        let signing = report.signing
        #expect(signing.result.transaction != nil && signing.interruption == nil && signing.isKept)
        #expect(signing.signers.map(\.slots) == [asked.slots] && signing.result.added == 2)
        let stored = try #require(bench.store.transaction(signing.plan.psbt.unsignedTransaction.id))
        #expect(stored.isSweep && stored.summary.isComplete && stored.sent == nil)
        #expect(bench.chain.sent.isEmpty)
        guard case .none = report.sending else { throw ScriptedInteraction.Declined() }
    }

    /// A sweep that no server took yet is told of with its card, and not with another one.
    @Test func whatWasNotSentIsTold() async throws {
        let bench = try bench()
        let look = { (person: ScriptedInteraction) async throws in
            try await bench.run(person) { manager, found in try await manager.unsentSweeps(of: found).map(\.summary.id)
            }
        }
        #expect(try await look(yes()).isEmpty && bench.count("dump") == 0)
        let swept = try await bench.sweep(yes()).signing.plan.psbt.unsignedTransaction.id
        #expect(try await look(yes()) == [swept])
        let slots = try await bench.run(yes()) { manager, found in try await manager.slots(of: found) }
        let manager = try bench.manager(yes())
        #expect(try manager.unsentSweeps(of: slots).map(\.summary.id) == [swept])
        #expect(try manager.unsentSweeps(of: Array(slots.dropFirst(2))).isEmpty)
        _ = try await bench.sweep(yes(), sends: true)
        #expect(try await look(yes()).isEmpty)
    }

    /// With the balances, what became of a sweep is asked for, too: also where only unspent outputs are known, and where
    /// the server said that it did not take it.
    @Test(arguments: [Set<ChainFeature>(), [.histories]], [true, false]) func balancesTellWhatBecameOfASweep(
        _ features: Set<ChainFeature>, _ isTaken: Bool
    ) async throws {
        var generator = SeededGenerator()
        let bench = try SweepBench(opened: 2, over: FakeChain(.test, features: features), using: &generator)
        try bench.fund(0, 20_000, salt: 1)
        if !isTaken { bench.chain.reject(.rejected(reason: ServerText("min relay fee not met"))) }
        let signing = try await bench.sweep(yes(), sends: true).signing
        let id = signing.plan.psbt.unsignedTransaction.id
        let look = {
            _ = try await bench.run(yes()) { try await $0.holdings(of: $0.slots(of: $1), on: .test) }
            return bench.store.transaction(id)?.summary
        }
        #expect(try await look()?.state == (isTaken ? .sent : .complete))
        bench.chain.add(try #require(signing.result.transaction), height: 199)
        let summary = try #require(try await look())
        #expect(summary.state == .confirmed && summary.confirmations == 2)
    }

    /// A no before the CVC costs the card nothing, opens nothing, and leaves nothing behind.
    @Test(arguments: [SweepOrder.Slots.opened, .all]) func aNoCostsNothing(_ slots: SweepOrder.Slots) async throws {
        let bench = try bench()
        try bench.fund(2, 40_000, salt: 3)
        let person = no()
        await #expect(throws: ScriptedInteraction.Declined.self) { try await bench.sweep(person, slots) }
        #expect(person.words == ["sweep"])
        #expect(bench.store.takenCoins().isEmpty)
        #expect(bench.count("sign") == 0 && bench.count("unseal") == 0)
        #expect(try bench.card.slotStates()[2] == .sealed)
    }

    @Test(arguments: [SweepOrder.Slots.opened, .all]) func aWrongCVCIsAskedForAgain(
        _ slots: SweepOrder.Slots
    ) async throws {
        let bench = try bench()
        try bench.fund(2, 40_000, salt: 3)
        let person = ScriptedInteraction { $0.refusal == nil ? "111111" : FlowBench.cvc }
        let report = try await bench.sweep(person, slots)
        #expect(person.words == ["sweep", "cvc", "cvc again"] + (slots == .all ? ["slotKeyExposed"] : []))
        #expect(bench.card.watch.wrongCVCs == 1)
        #expect(report.signing.result.transaction?.inputs.count == (slots == .all ? 3 : 2))
    }

    /// Somebody who knows no CVC leaves an unsigned sweep, and hears how far it came.
    @Test func whatIsStoredIsToldOf() async throws {
        let bench = try bench()
        let report = try await bench.sweep(ScriptedInteraction(cvc: "111111"))
        #expect((report.signing.interruption as? FlowError)?.isWrongCVC == true)
        #expect(report.signing.extent == (0, 2) && report.signing.isKept)
        #expect(bench.store.transaction(report.signing.plan.psbt.unsignedTransaction.id) != nil)
        #expect(bench.card.watch.wrongCVCs == 1)
    }

    @Test func anInterruptedRunIsGoneOnWith() async throws {
        let bench = try bench()
        bench.card.watch.disturbance = LossAtCommand("sign", passing: 1)
        let torn = try await bench.sweep(yes(), sends: true)
        #expect((torn.signing.interruption as? FlowError)?.isLoss == true)
        #expect(torn.signing.result.added == 1 && torn.signing.isKept && bench.chain.sent.isEmpty)

        bench.card.watch.disturbance = nil
        let signs = bench.count("sign")
        let person = yes()
        // No rate is given: the stored sweep's will do.
        let report = try await bench.sweep(person, fee: .usual, sends: true)
        #expect(person.words == ["resumingSweep", "sweep", "cvc"])
        #expect(report.signing.result.added == 1 && bench.count("sign") == signs + 1)
        #expect(try question(person).review.isLockOpen(at: UnixTime(seconds: 0)))
        #expect(report.signing.plan.psbt.unsignedTransaction.id == torn.signing.plan.psbt.unsignedTransaction.id)
        #expect(bench.chain.sent == [report.signing.plan.psbt.unsignedTransaction.id])
    }

    /// Another fee takes the place of a stored sweep that nobody signed; one that is signed is not replaced.
    @Test func anotherFeeReplacesAnUnsignedSweepAlone() async throws {
        let bench = try bench()
        let first = try await bench.sweep(ScriptedInteraction(cvc: "111111")).signing.plan.psbt.unsignedTransaction.id
        let same = yes()
        await #expect(throws: ScriptedInteraction.Declined.self) { try await bench.sweep(no()) }
        let seven = try FeeRate(parsing: "7")
        let report = try await bench.sweep(same, fee: .rate(seven))
        let second = report.signing.plan.psbt.unsignedTransaction.id
        #expect(same.words == ["sweep", "cvc"] && report.signing.result.transaction != nil)
        #expect(second != first && bench.store.transaction(first) == nil)

        let person = yes()
        await #expect(throws: SweepError.otherSigned(second)) { try await bench.sweep(person, fee: .rate(.relay)) }
        #expect(person.words.isEmpty)
        let again = yes()
        let resumed = try await bench.sweep(again, fee: .rate(seven))
        #expect(again.words.first == "resumingSweep" && resumed.signing.result.added == 0)
    }

    @Test func moreCoinsThanASignedSweepTakesAreAnotherSweep() async throws {
        let bench = try bench()
        let id = try await bench.sweep(yes()).signing.plan.psbt.unsignedTransaction.id
        try bench.fund(0, 9_000, salt: 9)
        await #expect(throws: SweepError.otherSigned(id)) { try await bench.sweep(yes(), fee: .usual) }
    }

    /// Anybody can pay a slot coins that cost more than they are worth: they stay, and keep no sweep from being gone on with.
    @Test(arguments: [false, true]) func worthlessCoinsAreLeftBehind(_ hasRate: Bool) async throws {
        let bench = try bench()
        try bench.fund(0, 294, salt: 3)
        let five = try FeeRate(parsing: "5")
        bench.chain.estimate(five)
        let fee = hasRate ? FeeChoice.rate(five) : .usual
        bench.card.watch.disturbance = LossAtCommand("sign", passing: 1)
        let first = yes()
        let torn = try await bench.sweep(first, fee: fee)
        #expect(torn.signing.result.added == 1 && torn.signing.plan.psbt.inputs.count == 2)
        #expect(try question(first).leftBehind.count == 1)

        bench.card.watch.disturbance = nil
        try bench.fund(1, 300, salt: 4)
        let person = yes()
        let report = try await bench.sweep(person, fee: fee)
        #expect(person.words == ["resumingSweep", "sweep", "cvc"])
        #expect(try question(person).leftBehind.count == 2 && report.signing.result.added == 1)
        #expect(report.signing.plan.psbt.unsignedTransaction.id == torn.signing.plan.psbt.unsignedTransaction.id)
        // One that is worth its fee is not left behind in silence.
        try bench.fund(1, 400, salt: 5)
        let id = report.signing.plan.psbt.unsignedTransaction.id
        await #expect(throws: SweepError.otherSigned(id)) { try await bench.sweep(yes(), fee: fee) }
    }

    /// A server that did not look for unconfirmed coins does not say that there are none.
    @Test func whatWasNotLookedForIsNotDenied() async throws {
        var generator = SeededGenerator()
        let bench = try SweepBench(opened: 1, over: FakeChain(.test, features: []), using: &generator)
        await #expect(throws: SweepError.nothingThere(server: "fake", seesUnconfirmed: false)) {
            try await bench.sweep(yes())
        }
    }

    @Test func unconfirmedCoinsStayUnlessTheyAreWanted() async throws {
        var generator = SeededGenerator()
        let bench = try SweepBench(opened: 1, using: &generator)
        await #expect(throws: SweepError.nothingThere(server: "fake", seesUnconfirmed: true)) {
            try await bench.sweep(yes())
        }
        try bench.fund(0, 20_000, salt: 1, height: nil)
        let amount = try #require(Amount(satoshis: 20_000))
        await #expect(throws: SweepError.onlyUnconfirmed(amount)) { try await bench.sweep(yes()) }
        let person = yes()
        let report = try await bench.sweep(person, takingUnconfirmed: true)
        #expect(person.words == ["sweep", "cvc"] && report.signing.result.transaction != nil)
    }

    @Test func whatMakesNoSenseIsRefusedBeforeAnybodyIsAsked() async throws {
        let bench = try bench()
        let person = yes()
        for slot in 0...1 {
            let address = try bench.address(slot)
            await #expect(throws: CreationError.opensDestination(address)) {
                try await bench.sweep(person, .one(SlotNumber(index: 1 - slot)), to: address)
            }
        }
        let sealed = try bench.address(2)
        await #expect(throws: CreationError.opensDestination(sealed)) {
            try await bench.sweep(person, .all, to: sealed)
        }
        await #expect(throws: FlowError.slotUnused(SlotNumber(index: 5))) {
            try await bench.sweep(person, .one(SlotNumber(index: 5)))
        }
        await #expect(throws: FlowError.noSuchSlot(SlotNumber(index: 10), count: 10)) {
            try await bench.sweep(person, .one(SlotNumber(index: 10)))
        }
        await #expect(throws: FeeError.noEstimate) { try await bench.sweep(person, fee: .usual) }
        await #expect(throws: SweepError.nothingArrives) {
            try await bench.sweep(person, fee: .rate(try FeeRate(parsing: "900")))
        }
        let main = try #require(Address(scriptPubKey: WalletBench.stranger, network: .main))
        let error = await #expect(throws: CardSearchError.self) { try await bench.sweep(person, to: main) }
        #expect(error?.code == .wrongNetwork)
        // More money than there is.
        try bench.fund(0, 2_000_000_000_000_000, salt: 5)
        try bench.fund(1, 2_000_000_000_000_000, salt: 6)
        let lie = await #expect(throws: ChainError.self) { try await bench.sweep(person) }
        #expect(lie?.code == .chainLied)
        #expect(person.words.isEmpty && bench.count("sign") == 0)
        #expect(bench.store.takenCoins().isEmpty)

        var generator = SeededGenerator()
        let sealedOnly = try SweepBench(opened: 0, using: &generator)
        await #expect(throws: SweepError.noneOpened) { try await sealedOnly.sweep(person) }
    }

    @Test func aCardWithoutSlotsIsAskedNothing() async throws {
        var generator = SeededGenerator()
        let signer = try await FlowBench.ready(using: &generator)
        let bench = try bench()
        let person = yes()
        let manager = CardManager(
            store: MemoryStore(), readers: [SimulatedBackend([signer.reader])], chain: ChainServers(bench.chain),
            interaction: person, acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 7) }
        )
        let card = try await manager.card()
        let order = SweepOrder(.opened, to: bench.destination)
        await #expect(throws: FlowError.wrongProduct(.tapsigner, task: .sweep)) {
            try await manager.sweep(card, order, using: &generator)
        }
        #expect(person.words.isEmpty && bench.chain.calls("unspent") == 0)
    }

    // MARK: The sealed slot

    /// The sealed slot is opened with the CVC that the card then signs with: it is asked for once.
    @Test func theSealedSlotIsOpenedAfterTheYes() async throws {
        let bench = try bench()
        try bench.fund(2, 40_000, salt: 3)
        let person = yes()
        let report = try await bench.sweep(person, .all)
        #expect(person.words == ["sweep", "cvc", "slotKeyExposed"])
        #expect(try question(person).openedSlot == SlotNumber(index: 2))
        let purposes = person.entries.compactMap { entry in
            if case .cvc(let request) = entry { request.purpose } else { nil }
        }
        #expect(purposes == [.sweep(try question(person).review, opensSlot: true)])
        #expect(bench.count("unseal") == 1 && report.signing.result.transaction?.inputs.count == 3)
        #expect(try bench.card.slotStates()[2] == .unsealed)
        // Nobody needs the slot's key any more.
        #expect(bench.store.flows(of: bench.card.ident).isEmpty)
    }

    /// Whether it was certain, each time that somebody was told that a listener has the sealed slot's key.
    private func exposures(_ person: ScriptedInteraction) -> [Bool] {
        person.entries.compactMap { entry in
            guard case .notice(.slotKeyExposed(_, let slot, let isCertain)) = entry, slot.index == 2 else { return nil }
            return isCertain
        }
    }

    /// Whoever listened at the reader can take the money, if the card sent the slot's master key in plain: nobody may leave
    /// the sweep unsent without knowing.
    @Test(arguments: [Set<CardHabit>(), [.otherMasterKeys]]) func aKeyThatWasSentInPlainIsTold(
        _ habits: Set<CardHabit>
    ) async throws {
        let bench = try bench(habits)
        try bench.fund(2, 40_000, salt: 3)
        let person = yes()
        _ = try await bench.sweep(person, .all)
        #expect(person.words == ["sweep", "cvc"] + (habits.isEmpty ? ["slotKeyExposed"] : []))
        #expect(exposures(person) == (habits.isEmpty ? [true] : []))
    }

    /// The card has opened the slot, and its answer is lost: nobody knows how it sent the key.
    @Test func aKeyThatMayHaveBeenSentInPlainIsTold() async throws {
        let bench = try bench([.otherMasterKeys])
        try bench.fund(2, 40_000, salt: 3)
        bench.card.watch.disturbance = FunctionInterceptor(onAnswer: { _, exchange in
            exchange.name == "unseal" ? .fail(ReaderError(.cardRemoved, "The card was taken away.")) : .pass
        })
        let first = yes()
        let torn = try await bench.sweep(first, .all)
        #expect((torn.signing.interruption as? FlowError)?.isLoss == true && exposures(first).isEmpty)
        bench.card.watch.disturbance = nil
        let person = yes()
        let report = try await bench.sweep(person, .all)
        #expect(person.words == ["resumingSweep", "sweep", "slotKeyExposed", "cvc"])
        #expect(exposures(person) == [false] && report.signing.result.transaction?.inputs.count == 3)
        #expect(bench.store.flows(of: bench.card.ident).isEmpty)
    }

    /// A program may keep a card that it found: what was opened or set up since is looked at anew.
    @Test func aCardThatWasFoundLongAgoWillDo() async throws {
        let bench = try bench()
        try bench.fund(2, 40_000, salt: 3)
        let report = try await bench.run(yes()) { manager, found in
            // The reader is one user's at a time.
            await found.card.disconnect()
            var generator = SeededGenerator(for: "kept card")
            _ = try await bench.card.unseal()
            _ = try await bench.card.setUpNextSlot(chainCode: generator.chainCode())
            try bench.fund(3, 50_000, salt: 4)
            let order = SweepOrder(.all, to: bench.destination, fee: .rate(.relay))
            return try await manager.sweep(found, order, using: &generator)
        }
        #expect(report.signing.interruption == nil)
        #expect(report.signing.result.transaction?.inputs.count == 4)
        #expect(try bench.card.slotStates()[3] == .unsealed)
    }

    /// A sealed slot in which nothing lies stays sealed.
    @Test func anEmptySealedSlotStaysSealed() async throws {
        let bench = try bench()
        let person = yes()
        _ = try await bench.sweep(person, .all)
        #expect(try question(person).openedSlot == nil && bench.count("unseal") == 0)
        #expect(try bench.card.slotStates()[2] == .sealed)
    }

    @Test(arguments: ["unseal", "sign"]) func whatIsLostWhileItOpensIsGoneOnWith(_ command: String) async throws {
        let bench = try bench()
        try bench.fund(2, 40_000, salt: 3)
        bench.card.watch.disturbance = LossAtCommand(command)
        let torn = try await bench.sweep(yes(), .all)
        #expect(torn.signing.result.added == 0 && torn.signing.isKept)
        #expect((torn.signing.interruption as? FlowError)?.isLoss == true)
        #expect(!bench.store.flows(of: bench.card.ident).isEmpty)

        bench.card.watch.disturbance = nil
        let person = yes()
        let report = try await bench.sweep(person, .all)
        // It is told while the slot is unsealed, or that it may have been so before.
        let told = command == "unseal" ? ["cvc", "slotKeyExposed"] : ["slotKeyExposed", "cvc"]
        #expect(person.words == ["resumingSweep", "sweep"] + told)
        #expect(exposures(person) == [command == "unseal"])
        #expect(try question(person).openedSlot == (command == "unseal" ? SlotNumber(index: 2) : nil))
        #expect(report.signing.result.transaction?.inputs.count == 3)
        #expect(report.signing.plan.psbt.unsignedTransaction.id == torn.signing.plan.psbt.unsignedTransaction.id)
        #expect(bench.store.flows(of: bench.card.ident).isEmpty)
    }

    // MARK: Sending

    @Test func aSweepThatIsNotTakenIsSignedAndStored() async throws {
        let bench = try bench()
        bench.chain.reject(.rejected(reason: ServerText("insufficient fee")))
        let report = try await bench.sweep(yes(), sends: true)
        let id = report.signing.plan.psbt.unsignedTransaction.id
        guard case .failed(let error) = report.sending else { throw ScriptedInteraction.Declined() }
        #expect((error as? SendingError)?.code == .transactionRejected)
        #expect(report.signing.result.transaction != nil && report.signing.interruption == nil)
        let stored = try #require(bench.store.transaction(id))
        #expect(stored.summary.isComplete && stored.sent == nil)

        bench.chain.reject(nil)
        let again = try await bench.sweep(yes(), sends: true)
        guard case .sent("fake") = again.sending else { throw ScriptedInteraction.Declined() }
        #expect(bench.chain.sent == [id] && bench.store.transaction(id)?.sent != nil)
    }

    // MARK: Stored sweeps

    @Test func aStoredSweepIsSignedByItsOwnCardAlone() async throws {
        let bench = try bench()
        let id = try await bench.sweep(ScriptedInteraction(cvc: "111111")).signing.plan.psbt.unsignedTransaction.id
        let stored = try #require(bench.store.transaction(id))
        var generator = SeededGenerator(for: "another card")
        let other = try SweepBench(opened: 2, using: &generator)
        try other.store.create(stored, replacing: nil)
        let stranger = yes()
        await #expect(throws: SweepError.otherCard) {
            try await other.run(stranger) { try await $0.signSweep(stored, on: $1) }
        }
        #expect(stranger.words.isEmpty)
        let person = yes()
        let report = try await bench.run(person) { try await $0.signSweep(stored, on: $1) }
        #expect(person.words == ["sweep", "cvc"] && report.signing.result.transaction != nil)
        #expect(bench.chain.sent.isEmpty)
    }

    /// Whoever signs a stored transaction need not know what it is: a sweep is signed by its card's slots, at the program's rules,
    /// and paid a higher fee for out of what it sends.
    @Test func aStoredSweepIsSignedAndReplacedLikeAnyTransaction() async throws {
        let bench = try bench()
        let id = try await bench.sweep(ScriptedInteraction(cvc: "111111")).signing.plan.psbt.unsignedTransaction.id
        let stored = try #require(bench.store.transaction(id))
        let manager = try bench.manager(yes())
        let high = try await manager.bump(stored, to: .rate(FeeRate(parsing: "7")))
        #expect(high.isSweep && bench.store.transaction(id) == nil)
        let person = yes()
        let report = try await bench.manager(person).sign(high)
        #expect(person.words == ["sweep", "cvc"] && report.isKept)
        try await report.expectComplete()
        #expect(report.signers.first?.slots?.map(\.index) == [0, 1] && bench.chain.sent.isEmpty)
    }

    /// Where another kind of card lies, a sweep is a PSBT that it has no key for.
    @Test func aStoredSweepIsNoSignersTransaction() async throws {
        let bench = try bench()
        let id = try await bench.sweep(ScriptedInteraction(cvc: "111111")).signing.plan.psbt.unsignedTransaction.id
        let stored = try #require(bench.store.transaction(id))
        var generator = SeededGenerator()
        let signer = try await FlowBench.ready(using: &generator)
        let manager = CardManager(
            store: bench.store, readers: [SimulatedBackend([signer.reader])], interaction: yes(),
            acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 7) })
        let error = await #expect(throws: FlowError.self) { try await manager.sign(stored) }
        #expect(error?.code == .nothingToSign)
        #expect(bench.store.transaction(id).map { SignatureTally($0.psbt).present } == 0)
    }

    /// What is stored now counts, and only what was planned here: neither an imported PSBT nor one that was deleted.
    @Test func onlyAStoredSweepIsSigned() async throws {
        let bench = try bench()
        let id = try await bench.sweep(ScriptedInteraction(cvc: "111111")).signing.plan.psbt.unsignedTransaction.id
        let stored = try #require(bench.store.transaction(id))
        let (person, asked) = (yes(), bench.count("sign"))
        for isImported in [false, true] {
            _ = bench.store.deleteTransaction(id)
            if isImported {
                try bench.store.create(
                    StoredTransaction(psbt: stored.psbt, created: stored.created, updated: stored.updated),
                    replacing: nil)
            }
            await #expect(throws: SweepError.noSweep(id)) {
                try await bench.run(person) { try await $0.signSweep(stored, on: $1) }
            }
        }
        #expect(person.words.isEmpty && bench.count("sign") == asked)
    }

    /// A program's own rules hold for sweeps, too: nothing is asked, stored or opened for what they forbid.
    @Test func ownRulesHoldForSweeps() async throws {
        struct NobodyIsPaid: SigningCheck {
            func findings(in context: SigningContext) -> [Finding] {
                [.policy(.refusal, .transaction, "pays somebody who is not on the list.")]
            }
        }
        let bench = try bench()
        try bench.fund(2, 40_000, salt: 3)
        var policy = SigningPolicy()
        policy.checks = [NobodyIsPaid()]
        let person = yes()
        await #expect(throws: CreationError.self) {
            try await bench.run(person) { [policy] manager, found in
                var generator = SeededGenerator(for: "own rules")
                let order = SweepOrder(.all, to: bench.destination, fee: .rate(.relay))
                return try await manager.sweep(found, order, policy: policy, using: &generator)
            }
        }
        #expect(person.words.isEmpty && bench.store.takenCoins().isEmpty)
        #expect(bench.count("sign") == 0 && bench.count("unseal") == 0)
    }
}
