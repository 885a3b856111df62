import ByteCodec
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

    /// Opens the slot as the command does: the journal says which one is unfinished, and is told when the key was shown.
    private static func unseal(_ gate: CardGate, _ bench: FlowBench) async throws -> OpenedSlot {
        let status = try await gate.perform { $0.status }
        var unfinished: UnsealState?
        if case .unseal(let state) = try gate.journal.unfinished(.unseal) { unfinished = state }
        let plan = try UnsealFlow.Plan(for: status, unfinished: unfinished)
        let result = try await UnsealFlow(gate: gate, cvc: CVC(FlowBench.cvc)).run(plan)
        try bench.expectOwn(result.opened)
        #expect(!bench.mortal.isDead)
        try gate.journal.finish(.unseal)
        return result.opened
    }

    private static func setUpNext(_ gate: CardGate, _ bench: FlowBench, run: Int) async throws {
        let chainCode = [UInt8](repeating: UInt8(run), count: 32)
        let earlier = try gate.journal.unfinished(.nextSlot)
        let result = try await NextSlotFlow(
            gate: gate, cvc: CVC(FlowBench.cvc), chainCode: chainCode, isChainCodeNamed: false
        ).run()
        if case .nextSlot(let state) = earlier {
            #expect(try bench.chainCode(result.report.slot).map { Hex.encode($0) } == state.chainCode)
            #expect(result.hasOurChainCode)
        }
        #expect(result.report.state == .sealed)
    }

    /// The newest version in every way; of the older ones, whose answers differ, the ways that differ by them.
    private static func recoveries(_ version: TapSimulator.AppletVersion) -> [TearCell.Recovery] {
        version == .newest ? TearCell.Recovery.allCases : [.cardReturns, .killed]
    }

    /// The host drew the chain code, in whichever run.
    private static func expectDrawn(_ slot: SlotNumber, _ bench: FlowBench, _ cell: String) throws {
        let chainCode = try #require(try bench.chainCode(slot), "\(cell)")
        #expect(Set(chainCode).count == 1 && (1...2).contains(chainCode[0]), "\(cell)")
    }

    private static func expect(
        _ third: SimulatedCardRecord.Slot.State, _ fourth: SimulatedCardRecord.Slot.State,
        _ bench: FlowBench, _ cell: String
    ) throws {
        let states = try bench.slotStates()
        #expect(states.prefix(3).allSatisfy { $0 == .unsealed }, "\(cell)")
        #expect(states[3] == third && states[4] == fourth, "\(cell)")
        #expect(states.dropFirst(5).allSatisfy { $0 == .unused }, "\(cell)")
        #expect(bench.reader.exchangeCounts["new", default: 0] <= 2, "\(cell)")
        #expect(bench.record.wrongAttempts == 0 && bench.watch.wrongCVCs == 0, "\(cell)")
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases) func unseal(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: 3, using: &generator)
        let tear = Tear(recoveries: Self.recoveries(version)) { gate, bench, _ in
            let opened = try await Self.unseal(gate, bench)
            #expect(opened.slot == Self.slot)
        } check: { bench, cell in
            try Self.expect(.unsealed, .unused, bench, cell)
        }
        try await tear.run(on: bench, "unseal, \(version.rawValue)")
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases) func nextSlot(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: 3, isBlank: true, using: &generator)
        let tear = Tear(recoveries: Self.recoveries(version)) { gate, bench, run in
            try await Self.setUpNext(gate, bench, run: run)
        } check: { bench, cell in
            try Self.expect(.sealed, .unused, bench, cell)
            try Self.expectDrawn(Self.slot, bench, cell)
        }
        try await tear.run(on: bench, "next slot, \(version.rawValue)")
    }

    @Test func unsealAndNextSlot() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 3, using: &generator)
        let tear = Tear { gate, bench, run in
            // Whoever has seen the key does not ask for it again.
            let isUnfinished = try gate.journal.unfinished(.unseal) != nil
            if try isUnfinished || bench.slotStates()[3] == .sealed {
                #expect(try await Self.unseal(gate, bench).slot == Self.slot)
            }
            try await Self.setUpNext(gate, bench, run: run)
        } check: { bench, cell in
            try Self.expect(.unsealed, .sealed, bench, cell)
            try Self.expectDrawn(Self.next, bench, cell)
        }
        try await tear.run(on: bench, "unseal and next slot")
    }
}
