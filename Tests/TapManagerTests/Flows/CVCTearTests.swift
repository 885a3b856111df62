import Bitcoin
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// CVCs given wrong, and the card taken away at every exchange besides: never more than two wrong tries, and no delay.
@Suite struct CVCTearTests {
    /// Which CVCs are given for a card whose CVC is `FlowBench.cvc`.
    enum Given: CaseIterable, Sendable {
        case bothWrong, presentWrong, newWrong

        var present: String { self == .newWrong ? FlowBench.cvc : "111111" }
        var new: String { self == .presentWrong ? FlowBench.cvc : "87654321" }

        /// The CVC that the card has when the flow has come to its end; `nil`: it cannot.
        var outcome: String? { self == .bothWrong ? nil : new }
    }

    /// What an earlier run left behind.
    enum Journal: CaseIterable, Sendable {
        /// Nothing.
        case empty
        /// An order to change the CVC whose end nobody saw.
        case inDoubt
        /// The same, and the new CVC was tried.
        case newTried
        /// The same, and the one before was tried.
        case presentTried
        /// A setup that saved the backup.
        case setup
        /// A setup, and a change of the CVC to whatever it is since.
        case setupChanged

        var state: FlowState? {
            switch self {
            case .empty: nil
            case .setup, .setupChanged:
                .setup(
                    SetupState(
                        step: .changingCVC, chainCode: nil, path: nil, backupFile: nil,
                        isCVCChanged: self == .setupChanged))
            case .inDoubt: .changeCVC(ChangeCVCState(lastTried: nil))
            case .newTried: .changeCVC(ChangeCVCState(lastTried: .new))
            case .presentTried: .changeCVC(ChangeCVCState(lastTried: .present))
            }
        }
    }

    @Test(arguments: Given.allCases, Journal.allCases) func changeCVC(_ given: Given, _ journal: Journal) async throws {
        try await tear(given, journal, "change-cvc") { driver in
            try await ChangeCVCFlow(driver: driver, from: CVC(given.present), to: CVC(given.new)).change()
        }
    }

    @Test(arguments: Given.allCases, Journal.allCases) func setup(_ given: Given, _ journal: Journal) async throws {
        try await tear(given, journal, "setup") { driver in
            let goal = SetupFlow.Goal(
                path: nil, chainCode: ChainCode(repeating: 1), isChainCodeNamed: false,
                newCVC: try CVC(given.new))
            _ = try await SetupFlow(driver: driver, cvc: CVC(given.present), goal: goal).run { _ in }
        }
    }

    private func tear(
        _ given: Given, _ journal: Journal, _ name: String, _ flow: @Sendable (CardDriver) async throws -> Void
    ) async throws {
        var generator = SeededGenerator()
        let original = try await FlowBench.ready(using: &generator)
        func bench() throws -> FlowBench {
            let bench = try original.copy()
            if let state = journal.state {
                bench.store.record(state, of: bench.ident, at: UnixTime(seconds: 1_800_000_000))
            }
            return bench
        }
        let undisturbed = try bench()
        try await end(flow, undisturbed, given, "\(name), \(given), \(journal), undisturbed", isTorn: false)
        var cells = 0
        for number in 1...undisturbed.exchangeCount {
            for moment in SinglePull.Moment.allCases {
                let bench = try bench()
                bench.watch.disturbance = SinglePull(atExchange: number, moment)
                let cell = "\(name), \(given), \(journal), exchange \(number), \(moment)"
                try await end(flow, bench, given, cell, isTorn: true)
                cells += 1
            }
        }
        print("\(name), \(given), \(journal): \(undisturbed.exchangeCount) exchanges, \(cells) cells")
    }

    private func end(
        _ flow: @Sendable (CardDriver) async throws -> Void, _ bench: FlowBench, _ given: Given, _ cell: String,
        isTorn: Bool
    ) async throws {
        do {
            try await bench.run(patience: .limited(.seconds(20)), flow)
            #expect(bench.record.cvc == given.outcome, "\(cell)")
            #expect(!bench.store.flows().contains { $0.state.kind == .changeCVC }, "\(cell)")
        } catch let error as FlowError {
            #expect(error.isWrongCVC || error.tellsNeither || isTorn && error.stopsTrying, "\(cell): \(error)")
            #expect(given.outcome == nil || isTorn && error.stopsTrying, "\(cell): \(error)")
            #expect(bench.record.cvc == FlowBench.cvc || bench.record.cvc == given.outcome, "\(cell)")
        }
        #expect(bench.watch.wrongCVCs <= 2 && bench.record.wrongAttempts <= 2, "\(cell)")
        #expect(bench.record.authDelay == 0, "\(cell)")
        #expect(bench.reader.exchangeCounts["wait"] == nil, "\(cell)")
    }
}

extension FlowError {
    /// Whether neither of two CVCs was the card's.
    fileprivate var tellsNeither: Bool { if case .neitherCVC = self { true } else { false } }
}
