import Bitcoin
import ByteCodec
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// A SATSCARD taken away, and everything else, at every exchange of opening a slot and of giving the next one a key.
///
/// Spec: protocol, "Interruptions" (`unseal`, `new`).
@Suite struct SlotChangeTearTests {
    private static let slot = SlotNumber(index: 3)
    private static let next = SlotNumber(index: 4)
    private static let full = 10

    /// Opens the slot as the command does: the journal says which one is unfinished, and is told when the key was shown.
    private static func unseal(_ driver: CardDriver, _ bench: FlowBench) async throws -> OpenedSlot {
        let status = try await driver.perform { $0.status }
        var unfinished: UnsealState?
        if case .unseal(let state) = try driver.journal.unfinished(.unseal) { unfinished = state }
        let plan = try UnsealPlan(for: status, unfinished: unfinished)
        let result = try await UnsealFlow(driver: driver, cvc: CVC(FlowBench.cvc)).run(plan)
        try bench.expectOwn(result.opened)
        #expect(!bench.mortal.isDead)
        try driver.journal.finish(.unseal)
        return result.opened
    }

    @discardableResult
    private static func setUpNext(_ driver: CardDriver, _ bench: FlowBench, run: Int) async throws -> SlotReport {
        let chainCode = ChainCode(repeating: UInt8(run))
        var given: ChainCode?
        if case .nextSlot(let state) = try driver.journal.unfinished(.nextSlot) {
            let hasKey = try bench.chainCode(SlotNumber(index: state.slotIndex)) != nil
            given = hasKey ? state.chainCode : chainCode
        }
        let result = try await NextSlotFlow(
            driver: driver, cvc: CVC(FlowBench.cvc), chainCode: chainCode, isChainCodeNamed: false
        ).run()
        if let given {
            #expect(try bench.chainCode(result.report.slot) == given)
            // Only the store says that an earlier run gave it to the card.
            #expect(result.hasOurChainCode == (given == chainCode))
            #expect(result.hasEarlierChainCode == (given != chainCode))
        }
        #expect(result.report.state == .sealed)
        return result.report
    }

    /// The host drew the chain code, in whichever run.
    private static func expectDrawn(_ slot: SlotNumber, _ bench: FlowBench, _ cell: String) throws {
        let chainCode = try #require(try bench.chainCode(slot), "\(cell)")
        #expect(Set(chainCode.bytes).count == 1 && (1...2).contains(chainCode.bytes[0]), "\(cell)")
    }

    /// Slots before these are open, the ones behind have no key.
    private static func expect(
        _ slot: Int, _ state: SimulatedCardRecord.Slot.State, next: SimulatedCardRecord.Slot.State,
        _ bench: FlowBench, _ cell: String
    ) throws {
        let states = try bench.slotStates()
        #expect(states.prefix(slot).allSatisfy { $0 == .unsealed }, "\(cell)")
        #expect(states[slot] == state, "\(cell)")
        #expect(states.dropFirst(slot + 1).first ?? next == next, "\(cell)")
        #expect(states.dropFirst(slot + 2).allSatisfy { $0 == .unused }, "\(cell)")
        #expect(bench.reader.exchangeCounts["new", default: 0] <= 2, "\(cell)")
        #expect(bench.record.wrongAttempts == 0 && bench.watch.wrongCVCs == 0, "\(cell)")
    }

    /// The first slot, one in the middle, the last one; with `full` a card whose last slot is open already.
    @Test(arguments: TapSimulator.AppletVersion.allCases, [0, 3, 9, full]) func unseal(
        _ version: TapSimulator.AppletVersion, _ opened: Int
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: opened, using: &generator)
        let slot = min(opened, 9)
        let tear = Tear(recoveries: TearCell.Recovery.of(version)) { driver, bench, _ in
            let opened = try await Self.unseal(driver, bench)
            #expect(opened.slot.index == slot)
        } check: { bench, cell in
            try Self.expect(slot, .unsealed, next: .unused, bench, cell)
        }
        let place = opened == Self.full ? "on a full card" : "of slot \(slot + 1)"
        try await tear.run(on: bench, "unseal \(place), \(version.rawValue)")
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases, [0, 3, 9]) func nextSlot(
        _ version: TapSimulator.AppletVersion, _ opened: Int
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: opened, isBlank: true, using: &generator)
        let slot = SlotNumber(index: opened)
        let tear = Tear(recoveries: TearCell.Recovery.of(version)) { driver, bench, run in
            let report = try await Self.setUpNext(driver, bench, run: run)
            #expect(report.slot == slot)
            #expect(report.isAddressProven == (version != .v090))
            #expect(report.address?.description == (try bench.slots()[opened].address))
        } check: { bench, cell in
            try Self.expect(opened, .sealed, next: .unused, bench, cell)
            try Self.expectDrawn(slot, bench, cell)
        }
        try await tear.run(on: bench, "setup of slot \(slot), \(version.rawValue)")
    }

    @Test func unsealAndNextSlot() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 3, using: &generator)
        let tear = Tear { driver, bench, run in
            // Whoever has seen the key does not ask for it again.
            let isUnfinished = try driver.journal.unfinished(.unseal) != nil
            if try isUnfinished || bench.slotStates()[3] == .sealed {
                #expect(try await Self.unseal(driver, bench).slot == Self.slot)
            }
            try await Self.setUpNext(driver, bench, run: run)
        } check: { bench, cell in
            try Self.expect(3, .unsealed, next: .sealed, bench, cell)
            try Self.expectDrawn(Self.next, bench, cell)
        }
        try await tear.run(on: bench, "unseal and next slot")
    }
}
