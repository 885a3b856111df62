import Bitcoin
import ChainData
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Looking at slots through the manager: who is asked for what.
@Suite struct SlotLookTests {
    private func manager(_ bench: FlowBench, _ person: ScriptedInteraction) throws -> CardManager {
        CardManager(
            store: MemoryStore(), readers: [SimulatedBackend([bench.reader])], interaction: person,
            acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 7) })
    }

    private let yes = { @Sendable in ScriptedInteraction(cvc: FlowBench.cvc) }
    private let no = { @Sendable in
        ScriptedInteraction(decide: { _ in throw ScriptedInteraction.Declined() }) { _ in FlowBench.cvc }
    }

    @Test func whoOnlyLooksIsAskedNothing() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 1, using: &generator)
        let person = yes()
        let manager = try manager(bench, person)
        let card = try await manager.card()
        let slots = try await manager.slots(of: card, network: .regtest)
        #expect(slots.count == 10 && slots.prefix(3).map(\.state) == [.unsealed, .sealed, .unused])
        #expect(slots.prefix(2).map(\.isAddressProven) == [false, true] && slots.allSatisfy { $0.opened == nil })
        #expect(slots.compactMap(\.address?.network) == [.regtest, .regtest])
        let (report, address) = try await manager.slot(of: card)
        #expect(report.slot == SlotNumber(index: 1) && address.network == .test && report.address == address)
        #expect(person.words.isEmpty)
        let error = await #expect(throws: CardSearchError.self) { try await manager.slots(of: card, network: .main) }
        #expect(error?.code == .wrongNetwork)
        await #expect(throws: FlowError.slotUnused(SlotNumber(index: 4))) {
            try await manager.slot(SlotNumber(index: 4), of: card)
        }
    }

    /// A full card that goes on showing its last slot's address is not paid to; before version 1.0.0, only `dump` would tell
    /// that the slot is open.
    @Test(arguments: SlotCard.all.filter { $0.showsOpenedAddress }) func anOpenedSlotIsNotToBePaidTo(
        _ card: SlotCard
    ) async throws {
        var generator = SeededGenerator()
        let manager = try manager(try card.bench(&generator), yes())
        let proof = try await manager.prove(try await manager.card())
        #expect(proof.activeSlot != nil && proof.addressToPay == nil)
        #expect(proof.slotState == (card.provesSeal ? .usedUp : .sealedOrOpened))
    }

    @Test func openedSlotsAreProvenWithTheCVC() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 1, using: &generator)
        let person = yes()
        let manager = try manager(bench, person)
        let card = try await manager.card()
        let slots = try await manager.slots(of: card, provingKeys: true)
        #expect(slots.prefix(2).allSatisfy(\.isAddressProven) && slots.allSatisfy { $0.opened == nil })
        #expect(try await manager.slot(SlotNumber(index: 0), of: card, provingKeys: true).report.isAddressProven)
        #expect(person.words == ["cvc", "cvc"])
        for case .cvc(let request) in person.entries { #expect(request.purpose == .proveKeys) }
    }

    /// The keys come after a yes and the CVC, and not before.
    @Test func keysAreTakenOutAfterAYes() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 1, using: &generator)
        let refusing = no()
        var manager = try manager(bench, refusing)
        let card = try await manager.card()
        await #expect(throws: ScriptedInteraction.Declined.self) { try await manager.slotsWithKeys(of: card) }
        #expect(refusing.words == ["showSlotKeys"] && bench.reader.exchangeCounts["dump", default: 0] == 0)
        let person = yes()
        manager = try self.manager(bench, person)
        let slots = try await manager.slotsWithKeys(of: card)
        #expect(person.words == ["showSlotKeys", "cvc"])
        try bench.expectOwn(#require(slots[0].opened))
    }

    /// A card that cannot prove its seal shows its address to nobody who did not say yes.
    @Test func anUnprovenSealIsAskedAbout() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(.v090, using: &generator)
        let refusing = no()
        var manager = try manager(bench, refusing)
        let card = try await manager.card()
        await #expect(throws: ScriptedInteraction.Declined.self) { try await manager.slot(of: card) }
        #expect(refusing.words == ["showUnprovenAddress"])
        let person = yes()
        manager = try self.manager(bench, person)
        #expect(try await manager.slot(of: card).report.isSealProven == false)
        #expect(person.words == ["showUnprovenAddress"])
    }

    @Test func aCardWithoutSlotsIsAskedNothing() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let person = yes()
        let manager = try manager(bench, person)
        let card = try await manager.card()
        let none = FlowError.wrongProduct(.tapsigner, task: .showSlots)
        await #expect(throws: none) { try await manager.slots(of: card, provingKeys: true) }
        await #expect(throws: none) { try await manager.slotsWithKeys(of: card) }
        await #expect(throws: FlowError.wrongProduct(.tapsigner, task: .showSlotAddress)) {
            try await manager.slot(of: card, provingKeys: true)
        }
        #expect(person.words.isEmpty)
    }

    /// A server that did not look for unconfirmed coins does not say that there are none.
    @Test func whatWasNotLookedForIsUnknown() async throws {
        var generator = SeededGenerator()
        let bench = try SweepBench(opened: 2, over: FakeChain(.test, features: []), using: &generator)
        try bench.fund(1, 20_000, salt: 1)
        let held = try await bench.run(yes()) { try await $0.holdings(of: $0.slots(of: $1), on: .test) }
        #expect(held.slots.prefix(3).allSatisfy { $0.unconfirmed == nil })
        // Without an address, there is nothing to look for.
        #expect(held.slots.dropFirst(3).allSatisfy { $0.unconfirmed == .zero } && held.slots.count == 10)
        #expect(held.slots.map(\.confirmed.satoshis).prefix(3) == [0, 20_000, 0])
    }

    @Test func whatTheSlotsHoldIsAddedUp() async throws {
        var generator = SeededGenerator()
        let bench = try SweepBench(opened: 2, using: &generator)
        try bench.fund(0, 20_000, salt: 1)
        try bench.fund(2, 30_000, salt: 2)
        try bench.fund(2, 4_000, salt: 3, height: nil)
        let held = try await bench.run(yes()) { try await $0.holdings(of: $0.slots(of: $1), on: .test) }
        #expect(held.slots.map(\.confirmed.satoshis) == [20_000, 0, 30_000, 0, 0, 0, 0, 0, 0, 0])
        #expect(held.slots.map(\.unconfirmed?.satoshis).prefix(3) == [0, 0, 4_000])
        #expect(held.total.satoshis == 54_000 && held.server == "fake")
        try bench.fund(0, 2_000_000_000_000_000, salt: 5)
        try bench.fund(1, 2_000_000_000_000_000, salt: 6)
        let error = await #expect(throws: ChainError.self) {
            try await bench.run(yes()) { try await $0.holdings(of: $0.slots(of: $1), on: .test) }
        }
        #expect(error?.code == .chainLied)
    }
}
