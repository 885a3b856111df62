import FlowSupport
import SmartCard
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// Tears a flow at every exchange and at every write to the store, and lets people do what they would then: each time a share
/// of what that may be (`TearCell`), or all of it.
///
/// Whatever happens, the flow must end like the undisturbed one.
struct Tear: Sendable {
    /// What happens, and what people do then.
    var recoveries = TearCell.Recovery.allCases
    /// What the flow does on a card, given a driver; `run` counts from 1.
    let flow: @Sendable (_ driver: CardDriver, _ bench: FlowBench, _ run: Int) async throws -> Void
    /// What must be true in the end.
    let check: @Sendable (FlowBench, _ cell: String) async throws -> Void

    /// Runs every cell on a copy of the card.
    /// - Parameter other: the card that is laid down in its place: of the same kind, with the same CVC.
    func run(on original: FlowBench, other: FlowBench? = nil, _ name: String) async throws {
        try await LongWork.inTurn { try await runInTurn(on: original, other: other, name) }
    }

    private func runInTurn(on original: FlowBench, other: FlowBench?, _ name: String) async throws {
        let undisturbed = try original.copy()
        try await undisturbed.run { try await flow($0, undisturbed, 1) }
        try await check(undisturbed, "\(name), undisturbed")
        let count = undisturbed.exchangeCount
        #expect(count > 0)
        let stranger = try await original.stranger()
        let other = other ?? stranger
        let before = Content(other)
        let cells = TearCell.all(
            name, exchanges: count, writes: undisturbed.mortal.writeCount, recoveries: recoveries)
        for cell in cells {
            let bench = try original.copy()
            cell.arrange(bench, other: other)
            do {
                try await cell.recovery.isPatient ? patient(bench, cell) : impatient(bench, other, cell)
                try await check(bench, "\(cell)")
            } catch { Issue.record("\(cell): \(error)") }
            #expect(bench.record.authDelay == 0 && bench.watch.wrongCVCs <= 2, "\(cell)")
            #expect(bench.reader.exchangeCounts["wait"] == nil, "\(cell)")
            #expect(bench.store.flows().isEmpty, "\(cell)")
            #expect(Content(other) == before, "\(cell): something was done to the other card")
        }
        print("\(name): \(count) exchanges, \(undisturbed.mortal.writeCount) writes, \(cells.count) cells")
    }

    private func patient(_ bench: FlowBench, _ cell: TearCell) async throws {
        let events: FlowEvents = { event in
            guard case .wrongCard = event else { return }
            // The wrong one is taken away, and the right one laid down.
            bench.reader.insert(bench.simulated)
            bench.reader.pull(.whenAwaited)
        }
        try await bench.run(patience: .limited(.seconds(20)), events: events) { try await flow($0, bench, 1) }
    }

    private func impatient(_ bench: FlowBench, _ other: FlowBench, _ cell: TearCell) async throws {
        do {
            try await bench.run { try await flow($0, bench, 1) }
            Issue.record("\(cell): did not fail")
        } catch let error as FlowError {
            #expect(cell.explains(error), "\(cell): \(error)")
        }
        bench.watch.disturbance = nil
        bench.mortal.startAnew()
        if cell.recovery == .otherCardRunAgain {
            let error = await expectFailure("\(cell)") { try await bench.run { try await flow($0, bench, 2) } }
            #expect(error?.isOtherCard == true, "\(cell): \(String(describing: error))")
        }
        bench.reader.insert(bench.simulated)
        try await bench.run { try await flow($0, bench, 2) }
    }

    /// What a card would show of it if it had been mistaken for another one.
    private struct Content: Equatable {
        let cvc: String
        let wrongAttempts: Int
        let path: String?
        let backups: Int?
        let slots: [SimulatedCardRecord.Slot]?

        init(_ bench: FlowBench) {
            let record = bench.record
            cvc = record.cvc
            wrongAttempts = record.wrongAttempts
            path = record.path?.description
            backups = record.backups
            slots = (try? record.slots).flatMap { $0 }
        }
    }
}
