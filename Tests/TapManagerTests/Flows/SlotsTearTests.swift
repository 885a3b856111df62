import Bitcoin
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// The card taken away at every exchange of showing slots and of verifying.
@Suite struct SlotsTearTests {
    @Test(arguments: TapSimulator.AppletVersion.allCases) func slots(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        for (opened, cvc) in [(3, nil), (3, FlowBench.cvc), (10, FlowBench.cvc)] {
            let bench = try FlowBench.satscard(version, opened: opened, using: &generator)
            let before = try bench.slots()
            let tear = Tear(recoveries: TearCell.Recovery.of(version)) { driver, bench, _ in
                let reports = try await SlotsFlow(driver: driver, cvc: cvc.map { try CVC($0) }).all()
                #expect(reports.map { $0.state.rawValue } == before.map { $0.state.rawValue })
                #expect(reports.map { $0.address?.description } == before.map { $0.address })
                for opened in reports.compactMap(\.opened) { try bench.expectOwn(opened) }
            } check: { bench, cell in
                let after = try bench.slots()
                #expect(after == before, "\(cell)")
                #expect(bench.record.wrongAttempts == 0 && bench.watch.wrongCVCs == 0, "\(cell)")
            }
            try await tear.run(on: bench, "slots, \(version.rawValue), \(opened) opened, CVC: \(cvc != nil)")
        }
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases) func oneSlot(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: 3, using: &generator)
        let before = try bench.slots()
        let tear = Tear(recoveries: TearCell.Recovery.of(version)) { driver, _, _ in
            let report = try await SlotsFlow(driver: driver, cvc: nil).one(nil)
            #expect(report.address?.description == before[3].address)
            #expect(report.isAddressProven == (version != .v090))
        } check: { bench, cell in
            let after = try bench.slots()
            #expect(after == before, "\(cell)")
        }
        try await tear.run(on: bench, "address, \(version.rawValue)")
    }

    @Test func verify() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 2, using: &generator)
        let whole = try await bench.command { try await VerifyFlow(driver: $1, cvc: CVC(FlowBench.cvc)).run() }
        let before = try bench.slots()
        bench.reader.resetCounts()
        let tear = Tear { driver, _, _ in
            let report = try await VerifyFlow(driver: driver, cvc: CVC(FlowBench.cvc)).run()
            #expect(report == whole)
        } check: { bench, cell in
            let after = try bench.slots()
            #expect(after == before, "\(cell)")
            #expect(bench.record.wrongAttempts == 0, "\(cell)")
        }
        try await tear.run(on: bench, "verify")
    }
}
