import Bitcoin
import ChainData
import ExplainedErrors
import FlowSupport
import SmartCard
import Synchronization
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Opening slots through the manager: what is asked, when it is done, and what is offered behind it.
@Suite struct UnsealingTests {
    private func bench(_ version: TapSimulator.AppletVersion = .newest, opened: Int = 3) throws -> FlowBench {
        var generator = SeededGenerator()
        return try FlowBench.satscard(version, opened: opened, using: &generator)
    }

    private func unfinished(_ bench: FlowBench) -> [FlowKind] { bench.store.flows(of: bench.ident).map(\.state.kind) }

    @Test func theQuestionComesBeforeTheCVC() async throws {
        let bench = try bench()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try bench.manager(person)
        let card = try await manager.card()
        let shown = Mutex<[FlowKind]>([])
        let unsealing = try await manager.unseal(card) { result in
            shown.withLock { $0 = unfinished(bench) }
            try bench.expectOwn(result.opened)
        }
        #expect(person.words == ["unseal", "cvc"])
        #expect(unsealing.result.opened.slot.index == 3 && unsealing.nextSlot == nil)
        // While the key is shown the opening is not done; then it is.
        #expect(shown.withLock { $0 } == [.unseal] && unfinished(bench).isEmpty)
        guard case .otherQuestion(.unseal(let question))? = person.entries.first else { throw Declined() }
        #expect(question.plan == .open(SlotNumber(index: 3), try #require(card.status.address)) && !question.isResumed)
        // The whole address, which the card has proven; nobody was there to say what lies at it.
        #expect(question.provenAddress?.description == (try bench.slots()[3].address))
        guard case .notAsked = question.holding else {
            Issue.record("\(question.holding)")
            return
        }
    }

    /// What lies there is told where a server says it; one that fails keeps nobody from the key.
    @Test(arguments: [[.unconfirmed], [], nil] as [Set<ChainFeature>?])
    func whatLiesThereIsTold(_ features: Set<ChainFeature>?) async throws {
        let bench = try bench()
        let address = try Address(parsing: try #require(try bench.slots()[3].address), network: .test)
        let chain = FakeChain(.regtest, features: features ?? [])
        try chain.pay(address.scriptPubKey, 30_000, salt: 1)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = CardManager(
            store: bench.mortal, readers: [SimulatedBackend([bench.reader])],
            chain: ChainServers { _ in
                if features != nil { chain } else { throw ChainError.unreachable(.refused, detail: "gone") }
            },
            interaction: person, acceptedRoots: [try SimulatedFactory.standard.rootKey],
            clock: { UnixTime(seconds: 7) })
        let card = try await manager.card()
        _ = try await manager.unseal(card, network: .regtest) { _ in }
        guard case .otherQuestion(.unseal(let question))? = person.entries.first else { throw Declined() }
        #expect(question.provenAddress == address.written(for: .regtest))
        switch question.holding {
        case .amount(let total, let waiting, _):
            #expect(features != nil && total.satoshis == 30_000)
            // One that did not look for unconfirmed coins does not say that there are none.
            #expect((waiting == nil) == features?.isEmpty)
        case .unknown(let error): #expect(features == nil && error.code == .chainUnreachable)
        case .notAsked: Issue.record("nobody was asked")
        }
    }

    @Test func aNoOpensNothing() async throws {
        let bench = try bench()
        let person = ScriptedInteraction(decide: { _ in throw Declined() }, give: { _ in FlowBench.cvc })
        let manager = try bench.manager(person)
        let card = try await manager.card()
        await #expect(throws: Declined.self) { try await manager.unseal(card) { _ in } }
        // The card proved its address, for which it needs no CVC.
        let proving: Set<String> = ["read", "check", "certs"]
        #expect(person.words == ["unseal"] && bench.asked.isSubset(of: FlowBench.finding.union(proving)))
        #expect(try bench.slotStates()[3] == .sealed)
    }

    /// A full card that goes on showing its last slot's address: nobody is asked to open a slot that is open.
    @Test(arguments: SlotCard.all.filter { $0.showsOpenedAddress }) func anOpenedSlotIsNotOpenedAgain(
        _ card: SlotCard
    ) async throws {
        var generator = SeededGenerator()
        let bench = try card.bench(&generator)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try bench.manager(person)
        let unsealing = try await manager.unseal(try await manager.card()) { try bench.expectOwn($0.opened) }
        #expect(person.words == ["unseal", "cvc"])
        guard case .otherQuestion(.unseal(let question))? = person.entries.first else { throw Declined() }
        let last = SlotNumber(index: 9)
        #expect(question.plan == .showAgain([last]) && !question.isResumed && question.provenAddress == nil)
        #expect(question.shownAgain?.slot == last)
        #expect(question.shownAgain?.address.description == (try bench.slots()[9].address))
        #expect(unsealing.result.wasOpenedBefore && bench.reader.exchangeCounts["unseal"] == nil)
    }

    /// Before version 1.0.0, only `dump` tells that the last slot is still sealed: then it is opened.
    @Test func theLastSlotOfAnOldCardIsOpened() async throws {
        let bench = try bench(.v090, opened: 9)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try bench.manager(person)
        let unsealing = try await manager.unseal(try await manager.card()) { try bench.expectOwn($0.opened) }
        guard case .otherQuestion(.unseal(let question))? = person.entries.first else { throw Declined() }
        #expect(question.provenAddress?.description == (try bench.slots()[9].address) && !question.isSealProven)
        #expect(!unsealing.result.wasOpenedBefore && unsealing.result.opened.slot.index == 9)
    }

    /// What could not be shown stays unfinished, though another slot was sealed since; and is finished by showing it.
    @Test func whatWasNotShownIsNotDone() async throws {
        struct FullDisk: Error {}
        let bench = try bench()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try bench.manager(person)
        let card = try await manager.card()
        await #expect(throws: FullDisk.self) {
            try await manager.unseal(card, offeringNextSlot: true) { _ in throw FullDisk() }
        }
        #expect(person.words == ["unseal", "cvc"] && unfinished(bench) == [.unseal])
        _ = try await bench.setUpNextSlot(chainCode: ChainCode(repeating: 9))

        let next = ScriptedInteraction(cvc: FlowBench.cvc)
        let again = try bench.manager(next)
        let unsealing = try await again.unseal(try await again.card()) { try bench.expectOwn($0.opened) }
        #expect(unsealing.result.opened.slot.index == 3 && unsealing.result.wasOpenedBefore)
        guard case .otherQuestion(.unseal(let question))? = next.entries.first else { throw Declined() }
        #expect(question.isResumed && question.plan == .showAgain([SlotNumber(index: 3)]))
        #expect(unfinished(bench).isEmpty)
        #expect(try bench.slotStates()[4] == .sealed)
    }

    /// A store that cannot be told is said to be so; the key was shown all the same.
    @Test func aStoreThatCannotBeToldKeepsNobodyFromTheKey() async throws {
        let bench = try bench()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try bench.manager(person)
        let card = try await manager.card()
        let unsealing = try await manager.unseal(card) { _ in bench.mortal.die() }
        #expect(unsealing.result.opened.slot.index == 3)
        #expect(person.words == ["unseal", "cvc", "openingNotKept"] && unfinished(bench) == [.unseal])
    }

    /// The next slot gets its key with the CVC that the card took: nobody is asked for it twice.
    @Test(arguments: [TapSimulator.AppletVersion.newest, .v090])
    func theNextSlotIsOffered(_ version: TapSimulator.AppletVersion) async throws {
        let bench = try bench(version)
        let person = ScriptedInteraction { $0.refusal == nil ? "999999" : FlowBench.cvc }
        let manager = try bench.manager(person)
        let card = try await manager.card()
        let unsealing = try await manager.unseal(card, offeringNextSlot: true) { _ in }
        let unproven = version == .v090 ? ["setUpUnprovenSlot"] : []
        #expect(person.words == ["unseal", "cvc", "cvc again", "setUpNextSlot"] + unproven)
        #expect(unsealing.nextSlot?.report.slot.index == 4 && unsealing.nextSlot?.hasOurChainCode == true)
        #expect(try bench.slotStates()[4] == .sealed && bench.watch.wrongCVCs == 1)
        #expect(unfinished(bench).isEmpty)
    }

    /// A no, and that there is nobody to ask, is an answer; whatever else is thrown is none.
    @Test func anOfferIsOnlyAnOffer() async throws {
        for (answer, isRefused) in [
            (Declined() as any Error, false), (NobodyToAsk.Absence.confirmation, false),
            (ScriptedInteraction.Declined(), true),
        ] {
            let bench = try bench()
            let person = ScriptedInteraction(
                decide: { if case .setUpNextSlot = $0 { throw answer } }, give: { _ in FlowBench.cvc })
            let manager = try bench.manager(person)
            let card = try await manager.card()
            if isRefused {
                await #expect(throws: ScriptedInteraction.Declined.self) {
                    try await manager.unseal(card, offeringNextSlot: true) { _ in }
                }
            } else {
                #expect(try await manager.unseal(card, offeringNextSlot: true) { _ in }.nextSlot == nil)
            }
            #expect(person.words == ["unseal", "cvc", "setUpNextSlot"])
            #expect(try bench.slotStates()[4] == .unused && unfinished(bench).isEmpty)
        }
    }

    @Test func nothingIsOfferedBehindTheLastSlotNorOnATamperedCard() async throws {
        var generator = SeededGenerator()
        let last = try bench(opened: 9)
        let tampered = try FlowBench.satscard(opened: 2, using: &generator) { $0.isTampered = true }
        for bench in [last, tampered] {
            let person = ScriptedInteraction(cvc: FlowBench.cvc)
            let manager = try bench.manager(person)
            let card = try await manager.card()
            #expect(try await manager.unseal(card, offeringNextSlot: true) { _ in }.nextSlot == nil)
            #expect(person.words.filter { $0 != "tampered" } == ["unseal", "cvc"])
        }
    }

    @Test func aCardThatNothingCanBeOpenedOfIsRefusedBeforeAnybodyIsAsked() async throws {
        var generator = SeededGenerator()
        let blank = try FlowBench.satscard(isBlank: true, using: &generator)
        let signer = try FlowBench(using: &generator)
        for (bench, expected) in [
            (blank, FlowError.slotUnused(SlotNumber(index: 0))),
            (signer, FlowError.wrongProduct(.tapsigner, task: .unsealSlot)),
        ] {
            let person = ScriptedInteraction(cvc: FlowBench.cvc)
            let manager = try bench.manager(person)
            let card = try await manager.card()
            await #expect(throws: expected) { try await manager.unseal(card) { _ in } }
            #expect(person.words.isEmpty && bench.asked.isSubset(of: FlowBench.finding))
        }
    }
}
