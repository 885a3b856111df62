import SmartCard
import TapManager
import TapProtocol
import TapSimulator
import Testing

/// Takes the card away at every exchange of a flow, at each moment of it, with and without patience.
struct Tear: Sendable {
    /// What the flow does on a card, given a gate; `run` counts from 1.
    let flow: @Sendable (_ gate: CardGate, _ bench: FlowBench, _ run: Int) async throws -> Void
    /// What must be true of the card in the end.
    let check: @Sendable (FlowBench, _ cell: String) throws -> Void

    /// Runs every cell on a copy of the card.
    func run(on original: FlowBench, _ name: String) async throws {
        let undisturbed = try original.copy()
        try await undisturbed.run { try await flow($0, undisturbed, 1) }
        try check(undisturbed, "\(name), undisturbed")
        let count = undisturbed.exchangeCount
        #expect(count > 0)
        for number in 1...count {
            for moment in SinglePull.Moment.allCases {
                try await withPatience(try original.copy(), number, moment, name)
                try await withoutPatience(try original.copy(), number, moment, name)
            }
        }
        print("\(name): \(count) exchanges, \(count * SinglePull.Moment.allCases.count * 2) cells")
    }

    private func withPatience(
        _ bench: FlowBench, _ number: Int, _ moment: SinglePull.Moment, _ name: String
    ) async throws {
        let cell = "\(name), exchange \(number), \(moment), with patience"
        bench.watch.disturbance = SinglePull(atExchange: number, moment)
        do {
            try await bench.run(patience: .limited(.seconds(20))) { try await flow($0, bench, 1) }
            try check(bench, cell)
        } catch { Issue.record("\(cell): \(error)") }
        #expect(bench.record.authDelay == 0 && bench.watch.wrongCVCs <= 2, "\(cell)")
        #expect(bench.reader.exchangeCounts["wait"] == nil, "\(cell)")
    }

    private func withoutPatience(
        _ bench: FlowBench, _ number: Int, _ moment: SinglePull.Moment, _ name: String
    ) async throws {
        let cell = "\(name), exchange \(number), \(moment), without patience"
        bench.watch.disturbance = SinglePull(atExchange: number, moment, returning: .byHand)
        do {
            try await bench.run { try await flow($0, bench, 1) }
            Issue.record("\(cell): did not fail")
        } catch let error as FlowError {
            #expect(error.isCardLost, "\(cell): \(error)")
        }
        bench.watch.disturbance = nil
        bench.reader.insert()
        do {
            try await bench.run { try await flow($0, bench, 2) }
            try check(bench, cell)
        } catch { Issue.record("\(cell), second run: \(error)") }
        #expect(bench.record.authDelay == 0 && bench.watch.wrongCVCs <= 2, "\(cell)")
        #expect(bench.reader.exchangeCounts["wait"] == nil, "\(cell)")
    }
}

extension FlowError {
    /// Whether the error says that the card was taken away.
    var isCardLost: Bool {
        switch self {
        case .card(.reader(let error)), .cvcInDoubt(let error): error.isCardLost
        default: false
        }
    }
}
