import Bitcoin
import FlowSupport
import SmartCard
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

@Suite struct UnsealFlowTests {
    @Test(arguments: SlotCard.all) func everyCard(_ card: SlotCard) async throws {
        var generator = SeededGenerator()
        let bench = try card.bench(&generator)
        let before = try bench.slots()
        guard card.hasSealedSlot || card.opened > 0 else {
            let nothing = FlowError.slotUnused(SlotNumber(index: 0))
            #expect(await expectFailure { try await bench.unseal() } == nothing)
            return
        }
        let expected = SlotNumber(index: card.hasSealedSlot ? card.opened : card.opened - 1)
        let result = try await bench.unseal()
        #expect(result.opened.slot == expected)
        #expect(result.wasOpenedBefore == !card.hasSealedSlot)
        #expect(!result.opened.isTampered)
        try bench.expectOwn(result.opened)
        #expect(result.opened.address.description == before[expected.index].address)
        #expect(result.next?.index == (expected.index < 9 ? expected.index + 1 : nil))
        var after = before.map { $0.state }
        after[expected.index] = .unsealed
        #expect(try bench.slotStates() == after)

        // Run again, it shows the same key and opens nothing.
        let again = try await bench.unseal()
        #expect(again.opened.privateKey.publicKey == result.opened.privateKey.publicKey)
        #expect(again.wasOpenedBefore)
        #expect(again.next == result.next)
        #expect(try bench.slotStates() == after)
        // Before 1.0.0 nothing but the refusal tells that a full card's last slot is open.
        let refused = card.showsOpenedAddress && !card.provesSeal ? 2 : 0
        #expect(bench.reader.exchangeCounts["unseal", default: 0] == (card.hasSealedSlot ? 1 : refused))
        #expect(bench.record.wrongAttempts == 0)
    }

    @Test func whatIsConfirmedBeforeNamesSlotAndAddress() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 3, using: &generator)
        let plan = try await bench.command { status, _ in try UnsealPlan(for: status) }
        guard case .open(let slot, let ends) = plan else {
            Issue.record("\(plan)")
            return
        }
        let address = try #require(try bench.slots()[3].address)
        #expect(slot.forPeople == 4)
        #expect(ends.description == "\(address.prefix(12))___\(address.suffix(12))")
        for (version, opened, candidates) in [
            (TapSimulator.AppletVersion.v103, 10, [9]), (.v100, 10, [9, 8]), (.v103, 9, [9, 8]), (.v103, 4, [3]),
        ] {
            let used = try FlowBench.satscard(version, opened: opened, isBlank: true, using: &generator)
            let plan = try await used.command { status, _ in try UnsealPlan(for: status) }
            #expect(plan == .showAgain(candidates.map(SlotNumber.init(index:))), "\(version) \(opened)")
        }
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases) func aWrongCVCChangesNothing(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        for (opened, isBlank) in [(0, false), (9, false), (2, true), (10, false)] {
            let bench = try FlowBench.satscard(version, opened: opened, isBlank: isBlank, using: &generator)
            let before = try bench.slots()
            let error = await expectFailure { try await bench.unseal(cvc: "654321") }
            #expect(error?.isWrongCVC == true)
            #expect(try bench.slots() == before)
            #expect(bench.record.wrongAttempts == 1)
            try bench.expectOwn(try await bench.unseal().opened)
            #expect(bench.record.wrongAttempts == 0)
        }
    }

    @Test func theSecurityDelayIsWaitedOff() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 1, using: &generator)
        try await bench.enterWrongCVCs()
        try bench.expectOwn(try await bench.unseal().opened)
        #expect(bench.reader.exchangeCounts["wait"] == 15)
        #expect(bench.record.authDelay == 0)
        #expect(bench.record.wrongAttempts == 0)
    }

    @Test(arguments: [SimulatedProduct.tapsigner, .satschip]) func otherProductsHaveNoPlan(
        _ product: SimulatedProduct
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(product, using: &generator)
        let expected = FlowError.wrongProduct(product == .satschip ? .satschip : .tapsigner, task: .unsealSlot)
        #expect(await expectFailure { try await bench.unseal() } == expected)
        let plan = UnsealPlan.showAgain([SlotNumber(index: 0)])
        let error = await expectFailure {
            try await bench.run { try await UnsealFlow(driver: $0, cvc: CVC(FlowBench.cvc)).run(plan) }
        }
        #expect(error == expected)
    }

    @Test func aCardOfAnotherFactoryIsNotOpened() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 1, using: &generator) { $0.factory = .development }
        let error = await expectFailure { try await bench.unseal() }
        #expect(error == .notGenuine(.unknown(root: try SimulatedFactory.development.rootKey)))
        #expect(bench.reader.exchangeCounts["unseal"] == nil)
        #expect(bench.reader.exchangeCounts["dump"] == nil)
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases, OtherProgram.allCases)
    func anotherProgramOpensTheSlotBetweenPlanAndRun(
        _ version: TapSimulator.AppletVersion, _ other: OtherProgram
    ) async throws {
        var generator = SeededGenerator()
        for (opened, setsUpNext) in [(0, false), (4, true), (8, true), (9, false)] {
            let bench = try FlowBench.satscard(version, opened: opened, using: &generator)
            let result = try await bench.command { status, driver in
                let plan = try UnsealPlan(for: status)
                try await other.unseal(bench)
                if setsUpNext {
                    try await other.setUpNextSlot(bench, chainCode: ChainCode(repeating: 9))
                }
                return try await UnsealFlow(driver: driver, cvc: CVC(FlowBench.cvc)).run(plan)
            }
            #expect(result.opened.slot.index == opened)
            #expect(result.wasOpenedBefore)
            try bench.expectOwn(result.opened)
            #expect(bench.reader.exchangeCounts["unseal"] == nil)
            #expect(try bench.slots().count { $0.state == .unsealed } == opened + 1)
            #expect(result.next?.index == (setsUpNext || opened == 9 ? nil : opened + 1))
            #expect(bench.record.wrongAttempts == 0)
        }
    }

    /// The process dies when the card has opened the slot and has not answered; then another program gives the next slot its
    /// key. What is unfinished is the slot whose key nobody has seen: that is shown, and no other is opened in its place.
    @Test func aSlotWhoseOpeningWasKilledIsShownBeforeAnotherIsOpened() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 3, using: &generator)
        let unseal = {
            try await bench.run { driver in
                let status = try await driver.perform { $0.status }
                var unfinished: UnsealState?
                if case .unseal(let state) = try driver.journal.unfinished(.unseal) { unfinished = state }
                let plan = try UnsealPlan(for: status, unfinished: unfinished)
                return try await UnsealFlow(driver: driver, cvc: CVC(FlowBench.cvc)).run(plan)
            }
        }
        bench.watch.disturbance = FunctionInterceptor(onAnswer: { _, exchange in
            guard exchange.name == "unseal" else { return .pass }
            bench.mortal.die()
            return .fail(ReaderError(.cardRemoved, "The process is dead."))
        })
        #expect(await expectFailure { try await unseal() } != nil)
        let address = try #require(try bench.slots()[3].address)
        let state = UnsealState(slotIndex: 3, address: "\(address.prefix(12))___\(address.suffix(12))")
        #expect(bench.store.flows(of: bench.ident).map(\.state) == [.unseal(state)])

        bench.watch.disturbance = nil
        bench.mortal.startAnew()
        bench.reader.insert()
        _ = try await bench.setUpNextSlot(chainCode: ChainCode(repeating: 9))
        let result = try await unseal()
        #expect(result.opened.slot.index == 3 && result.wasOpenedBefore)
        try bench.expectOwn(result.opened)
        #expect(try bench.slotStates()[4] == .sealed)
    }

    /// A listener has the key if the card sent the master key in plain. If the answer to `unseal` is lost, nobody knows
    /// whether it did; if `dump` has it in plain, that is certain.
    @Test(arguments: [Set<CardHabit>(), [.otherMasterKeys]], [true, false]) func whetherAListenerHasTheKey(
        _ habits: Set<CardHabit>, _ isLost: Bool
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 3, using: &generator) { $0.habits = habits }
        if isLost {
            bench.watch.disturbance = FunctionInterceptor(onAnswer: { _, exchange in
                exchange.name == "unseal" ? .pull(.whenAwaited) : .pass
            })
        }
        let result = try await bench.unseal(patience: .unlimited)
        #expect(result.wasOpenedBefore == isLost && result.opened.slot.index == 3)
        // These cards hide the master key in `dump`, or with the habit in `unseal`.
        let expected: Bool? = isLost ? (habits.isEmpty ? nil : true) : habits.isEmpty
        #expect(result.wasExposed == expected)
    }

    @Test func aSlotThatTheCardOpenedItselfIsShownAsSuch() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 2, using: &generator) { $0.isTampered = true }
        let result = try await bench.unseal()
        #expect(result.opened.slot.index == 2 && result.wasOpenedBefore && result.opened.isTampered)
        try bench.expectOwn(result.opened)
    }
}
