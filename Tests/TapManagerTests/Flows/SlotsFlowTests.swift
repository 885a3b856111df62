import Bitcoin
import FlowSupport
import LyingCards
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@Suite struct SlotsFlowTests {
    @Test(arguments: SlotCard.all) func everySlotOfEveryCard(_ card: SlotCard) async throws {
        var generator = SeededGenerator()
        let bench = try card.bench(&generator)
        let before = try bench.slots()
        let shown = [
            (try await bench.reports(), false, false), (try await bench.reports(cvc: FlowBench.cvc), true, false),
            (try await bench.reportsWithKeys(), true, true),
        ]
        for (reports, hasCVC, hasKeys) in shown {
            #expect(reports.map { $0.slot.forPeople } == Array(1...10))
            #expect(reports.map { $0.state.rawValue } == before.map { $0.state.rawValue })
            #expect(reports.map { $0.address?.description } == before.map { $0.address })
            for report in reports {
                switch report.state {
                case .unused:
                    #expect(!report.isAddressProven && !report.isSealProven && report.opened == nil)
                case .sealed:
                    #expect(report.isAddressProven == card.provesSeal && report.opened == nil)
                    #expect(report.isSealProven == card.provesSeal)
                case .unsealed:
                    #expect(report.isAddressProven == hasCVC)
                    #expect(!report.isSealProven)
                    #expect((report.opened != nil) == hasKeys)
                    if let opened = report.opened { try bench.expectOwn(opened) }
                }
            }
        }
        #expect(try bench.slots() == before)
        #expect(bench.record.wrongAttempts == 0)
    }

    @Test(arguments: SlotCard.all) func oneSlotOfEveryCard(_ card: SlotCard) async throws {
        var generator = SeededGenerator()
        let bench = try card.bench(&generator)
        let slots = try bench.slots()
        for slot in slots {
            let report = try await bench.report(SlotNumber(index: slot.number))
            #expect(report.slot.index == slot.number)
            #expect(report.state.rawValue == slot.state.rawValue)
            #expect(report.address?.description == slot.address)
        }
        if card.opened == 10 {
            #expect(await expectFailure { try await bench.report() } == .usedUp)
        } else {
            let report = try await bench.report()
            #expect(report.slot.index == card.opened)
            #expect(report.state == (card.isBlank ? .unused : .sealed))
        }
        for index in [-1, 10, 255] {
            let number = SlotNumber(index: index)
            #expect(await expectFailure { try await bench.report(number) } == .noSuchSlot(number, count: 10))
        }
    }

    @Test(arguments: [SimulatedProduct.tapsigner, .satschip]) func otherProductsHaveNoSlots(
        _ product: SimulatedProduct
    ) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(product, using: &generator)
        let real: CardProduct = product == .satschip ? .satschip : .tapsigner
        #expect(await expectFailure { try await bench.reports() } == .wrongProduct(real, task: .showSlots))
        #expect(await expectFailure { try await bench.report() } == .wrongProduct(real, task: .showSlotAddress))
        #expect(bench.reader.exchangeCounts == ["select": 2])
    }

    @Test func aCardOfAnotherFactoryShowsNothing() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 2, using: &generator) { $0.factory = .development }
        let root = try SimulatedFactory.development.rootKey
        #expect(await expectFailure { try await bench.reports() } == .notGenuine(.unknown(root: root)))
        #expect(await expectFailure { try await bench.report() } == .notGenuine(.unknown(root: root)))
        #expect(Set(bench.reader.exchangeCounts.keys).isSubset(of: ["select", "status", "read", "check", "certs"]))
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases) func aWrongCVCIsTriedOnce(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: 3, using: &generator)
        let error = await expectFailure { try await bench.reports(cvc: "654321") }
        #expect(error?.isWrongCVC == true)
        #expect(bench.record.wrongAttempts == 1)
        #expect(try await bench.reports(cvc: FlowBench.cvc).count { $0.state == .unsealed && $0.isAddressProven } == 3)
        #expect(bench.record.wrongAttempts == 0)
    }

    @Test func theSecurityDelayIsWaitedOffOnlyWhereTheCVCIsUsed() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 1, using: &generator)
        try await bench.enterWrongCVCs()
        _ = try await bench.reports()
        #expect(bench.reader.exchangeCounts["wait"] == nil)
        #expect(try await bench.reports(cvc: FlowBench.cvc).first?.isAddressProven == true)
        #expect(bench.reader.exchangeCounts["wait"] == 15)
        #expect(bench.record.authDelay == 0)
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases, OtherProgram.allCases)
    func anotherProgramOpensTheSlotBetweenLookAndRun(
        _ version: TapSimulator.AppletVersion, _ other: OtherProgram
    ) async throws {
        var generator = SeededGenerator()
        for opened in [0, 4, 9] {
            let bench = try FlowBench.satscard(version, opened: opened, using: &generator)
            let reports = try await bench.command { _, driver in
                try await other.unseal(bench)
                return try await SlotsFlow(driver: driver, cvc: nil).all()
            }
            #expect(reports.map { $0.state.rawValue } == (try bench.slotStates().map { $0.rawValue }))
        }
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases, OtherProgram.allCases)
    func anotherProgramSetsTheSlotUpBetweenLookAndRun(
        _ version: TapSimulator.AppletVersion, _ other: OtherProgram
    ) async throws {
        var generator = SeededGenerator()
        for opened in [0, 4, 9] {
            let bench = try FlowBench.satscard(version, opened: opened, isBlank: true, using: &generator)
            let report = try await bench.command { _, driver in
                try await other.setUpNextSlot(bench, chainCode: ChainCode(repeating: 9))
                return try await SlotsFlow(driver: driver, cvc: nil).one(nil)
            }
            #expect(report.state == .sealed && report.isAddressProven == (version != .v090))
            #expect(report.address?.description == (try bench.slots()[opened].address))
        }
    }

    @Test func aCardThatOpenedItsSlotItselfIsNotSaidSealed() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 2, using: &generator) { $0.isTampered = true }
        let reports = try await bench.reportsWithKeys()
        #expect(reports.map { $0.state == .unsealed } == (0..<10).map { $0 < 3 })
        #expect(reports.map { $0.opened?.isTampered == true } == (0..<10).map { $0 == 2 })
        // What is on it can be seen and taken, but nothing more is to be paid to it.
        #expect(await expectFailure { try await bench.report() } == .tampered)
        #expect(await expectFailure { try await bench.report(SlotNumber(index: 0)) } == .tampered)
    }

    /// Between look and run the card begins to say that it was tampered with.
    @Test(arguments: OtherProgram.allCases) func aCardThatWasTamperedWithMeanwhileIsNotPaidTo(
        _ other: OtherProgram
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 2, using: &generator)
        let error = await expectFailure {
            try await bench.command { _, driver in
                bench.watch.disturbance = Liar(when: .status, tell: .add("tampered", .bool(true)))
                try await other.unseal(bench)
                try await other.setUpNextSlot(bench, chainCode: ChainCode(repeating: 9))
                return try await SlotsFlow(driver: driver, cvc: nil).one(nil)
            }
        }
        #expect(error == .tampered)
    }
}
