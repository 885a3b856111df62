import Bitcoin
import ByteCodec
import FlowSupport
import SmartCard
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

@Suite struct NextSlotFlowTests {
    private let chainCode = ChainCode(repeating: 0x5A)

    @Test(arguments: SlotCard.all) func everyCard(_ card: SlotCard) async throws {
        var generator = SeededGenerator()
        let bench = try card.bench(&generator)
        let before = try bench.slots()
        guard card.opened < 10 else {
            #expect(await expectFailure { try await bench.setUpNextSlot(chainCode: chainCode) } == .usedUp)
            #expect(try bench.slots() == before)
            return
        }
        let result = try await bench.setUpNextSlot(chainCode: chainCode)
        let slot = SlotNumber(index: card.opened)
        #expect(result.report.slot == slot)
        #expect(result.report.state == .sealed)
        #expect(result.report.isAddressProven == card.provesSeal)
        #expect(result.report.isSealProven == card.provesSeal)
        #expect(result.hasOurChainCode == card.isBlank)
        #expect(result.report.address?.description == (try bench.slots()[slot.index].address))
        #expect(try bench.slots().filter { $0.state == .sealed }.map { $0.number } == [slot.index])
        #expect(bench.reader.exchangeCounts["new", default: 0] == (card.isBlank ? 1 : 0))
        if card.isBlank {
            #expect(try bench.chainCode(slot) == chainCode)
        } else {
            #expect(try bench.slots() == before)
        }
    }

    /// Sets the next slot up with the bench's store.
    private func setUp(_ bench: FlowBench) async throws -> NewSlot {
        try await bench.run { [chainCode] driver in
            try await NextSlotFlow(
                driver: driver, cvc: CVC(FlowBench.cvc), chainCode: chainCode, isChainCodeNamed: false
            ).run()
        }
    }

    /// A slot without a key gets the chain code of this run, whatever somebody wrote into the store.
    @Test func aPlantedChainCodeIsNotGiven() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 3, isBlank: true, using: &generator)
        let planted = NextSlotState(slotIndex: 3, chainCode: ChainCode(repeating: 1))
        bench.store.record(.nextSlot(planted), of: bench.ident, at: UnixTime(seconds: 1))
        let result = try await setUp(bench)
        #expect(try result.hasOurChainCode && bench.chainCode(result.report.slot) == chainCode)
    }

    /// Nor is a slot's own chain code called that of this run, because somebody wrote it into the store.
    @Test func aPlantedChainCodeIsNotOurs() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 3, using: &generator)
        let planted = try #require(try bench.chainCode(SlotNumber(index: 3)))
        bench.store.record(
            .nextSlot(NextSlotState(slotIndex: 3, chainCode: planted)), of: bench.ident, at: UnixTime(seconds: 1))
        let result = try await setUp(bench)
        #expect(!result.hasOurChainCode)
        #expect(result.hasEarlierChainCode)
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases) func runAgainItSetsNoSecondSlotUp(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        for opened in [0, 3, 9] {
            let bench = try FlowBench.satscard(version, opened: opened, isBlank: true, using: &generator)
            let address = try await bench.setUpNextSlot(chainCode: chainCode).report.address
            let other = ChainCode(repeating: 1)
            for (code, isNamed) in [(chainCode, true), (chainCode, false), (other, false)] {
                let again = try await bench.setUpNextSlot(chainCode: code, isNamed: isNamed)
                #expect(again.hasOurChainCode == (code == chainCode))
                #expect(again.report.address == address)
            }
            let error = await expectFailure { try await bench.setUpNextSlot(chainCode: other, isNamed: true) }
            #expect(error == .otherChainCode)
            #expect(bench.reader.exchangeCounts["new"] == 1)
            #expect(try bench.chainCode(SlotNumber(index: opened)) == chainCode)
        }
    }

    /// The process dies when the card has heard the order and has not answered. Whoever asks is told which slot is unfinished,
    /// and the next run knows the chain code that the card was given, according to the store.
    @Test func aSlotWhoseSetupWasKilledHasTheChainCodeThatItWasGiven() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 3, isBlank: true, using: &generator)
        let setUp = { [chainCode] (code: ChainCode?) in
            try await bench.run { driver in
                try await NextSlotFlow(
                    driver: driver, cvc: CVC(FlowBench.cvc), chainCode: code ?? chainCode, isChainCodeNamed: false
                ).run()
            }
        }
        bench.watch.disturbance = FunctionInterceptor(onAnswer: { _, exchange in
            guard exchange.name == "new" else { return .pass }
            bench.mortal.die()
            return .fail(ReaderError(.cardRemoved, "The process is dead."))
        })
        #expect(await expectFailure { try await setUp(nil) } != nil)
        let given = NextSlotState(slotIndex: 3, chainCode: chainCode)
        #expect(bench.store.flows(of: bench.ident).map(\.state) == [.nextSlot(given)])

        bench.watch.disturbance = nil
        bench.mortal.startAnew()
        bench.reader.insert()
        let result = try await setUp(ChainCode(repeating: 1))
        #expect(!result.hasOurChainCode && result.hasEarlierChainCode && result.report.slot.index == 3)
        #expect(bench.reader.exchangeCounts["new"] == 1)
        #expect(bench.store.flows().isEmpty)
    }

    /// The same with a card that chose its own chain code, or a line that put it in: the lost answer does not make it ours.
    @Test func aSlotWhoseSetupWasKilledMustHaveTheChainCodeThatItWasGiven() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 3, isBlank: true, using: &generator)
        try bench.simulated.lie([.ignoresChainCode])
        let setUp = { [chainCode] (isNamed: Bool) in
            try await bench.run { driver in
                try await NextSlotFlow(
                    driver: driver, cvc: CVC(FlowBench.cvc), chainCode: chainCode, isChainCodeNamed: isNamed
                ).run()
            }
        }
        bench.watch.disturbance = FunctionInterceptor(onAnswer: { _, exchange in
            exchange.name == "new" ? .fail(ReaderError(.cardRemoved, "The answer is lost.")) : .pass
        })
        #expect(await expectFailure { try await setUp(false) } != nil)
        bench.watch.disturbance = nil
        #expect(await expectFailure { try await setUp(true) } == .otherChainCode)
        #expect(await expectFailure { try await setUp(false) } == .keyNotOurs)
        // Whoever set the slot up elsewhere can go on, and is told that the chain code is another.
        #expect(try await !setUp(false).hasOurChainCode)
        #expect(bench.reader.exchangeCounts["new"] == 1)
    }

    /// Ten slots, set up and opened one after the other, each with a chain code of its own.
    @Test(arguments: TapSimulator.AppletVersion.allCases) func aWholeLife(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, isBlank: true, using: &generator) { $0.unluckyPercent = 12 }
        for index in 0..<10 {
            let code = try generator.chainCode()
            let made = try await bench.setUpNextSlot(chainCode: code)
            #expect(made.report.slot.index == index && made.hasOurChainCode)
            let opened = try await bench.unseal()
            #expect(opened.opened.address == made.report.address)
            #expect(opened.opened.chainCode == code)
            #expect(!opened.wasOpenedBefore)
            #expect(opened.next?.index == (index < 9 ? index + 1 : nil))
            try bench.expectOwn(opened.opened)
        }
        #expect(try bench.slotStates() == [SimulatedCardRecord.Slot.State](repeating: .unsealed, count: 10))
        #expect(await expectFailure { try await bench.setUpNextSlot(chainCode: chainCode) } == .usedUp)
        #expect(bench.reader.exchangeCounts["new"] == 10)
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases) func aWrongCVCChangesNothing(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: 1, isBlank: true, using: &generator)
        let before = try bench.slots()
        let error = await expectFailure { try await bench.setUpNextSlot(chainCode: chainCode, cvc: "654321") }
        #expect(error?.isWrongCVC == true)
        #expect(try bench.slots() == before)
        #expect(bench.record.wrongAttempts == 1)
    }

    @Test func theSecurityDelayIsWaitedOff() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 1, isBlank: true, using: &generator)
        try await bench.enterWrongCVCs()
        #expect(try await bench.setUpNextSlot(chainCode: chainCode).hasOurChainCode)
        #expect(bench.reader.exchangeCounts["wait"] == 15)
        #expect(bench.record.wrongAttempts == 0)
    }

    @Test(arguments: [SimulatedProduct.tapsigner, .satschip]) func otherProductsAreRefused(
        _ product: SimulatedProduct
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(product, using: &generator)
        let error = await expectFailure { try await bench.setUpNextSlot(chainCode: chainCode) }
        #expect(error == .wrongProduct(product == .satschip ? .satschip : .tapsigner, task: .setUpSlot))
        #expect(bench.record.path == nil)
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases) func aCardThatWasTamperedWithGetsNoKey(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: 2, using: &generator) { $0.isTampered = true }
        #expect(await expectFailure { try await bench.setUpNextSlot(chainCode: chainCode) } == .tampered)
        #expect(bench.reader.exchangeCounts["new"] == nil)
    }

    @Test func aCardOfAnotherFactoryGetsNoKey() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(isBlank: true, using: &generator) { $0.factory = .development }
        let error = await expectFailure { try await bench.setUpNextSlot(chainCode: chainCode) }
        #expect(error == .notGenuine(.unknown(root: try SimulatedFactory.development.rootKey)))
        #expect(bench.reader.exchangeCounts["new"] == nil)
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases, OtherProgram.allCases)
    func anotherProgramSetsTheSlotUpFirst(
        _ version: TapSimulator.AppletVersion, _ other: OtherProgram
    ) async throws {
        var generator = SeededGenerator()
        for (opened, isNamed) in [(0, false), (4, false), (9, false), (4, true)] {
            let bench = try FlowBench.satscard(version, opened: opened, isBlank: true, using: &generator)
            let theirs = ChainCode(repeating: 9)
            let run = { () async throws in
                try await bench.command { _, driver in
                    try await other.setUpNextSlot(bench, chainCode: theirs)
                    return try await NextSlotFlow(
                        driver: driver, cvc: CVC(FlowBench.cvc), chainCode: chainCode, isChainCodeNamed: isNamed
                    ).run()
                }
            }
            if isNamed {
                #expect(await expectFailure { try await run() } == .otherChainCode)
            } else {
                let result = try await run()
                #expect(!result.hasOurChainCode)
                #expect(result.report.address?.description == (try bench.slots()[opened].address))
            }
            #expect(bench.reader.exchangeCounts["new"] == nil)
            #expect(try bench.chainCode(SlotNumber(index: opened)) == theirs)
        }
    }

    /// Between look and run the sealed slot is opened: its successor gets a key, as was asked for.
    @Test(arguments: TapSimulator.AppletVersion.allCases, OtherProgram.allCases)
    func anotherProgramOpensTheSlotFirst(
        _ version: TapSimulator.AppletVersion, _ other: OtherProgram
    ) async throws {
        var generator = SeededGenerator()
        for opened in [0, 4, 9] {
            let bench = try FlowBench.satscard(version, opened: opened, using: &generator)
            let run = { () async throws in
                try await bench.command { _, driver in
                    try await other.unseal(bench)
                    return try await NextSlotFlow(
                        driver: driver, cvc: CVC(FlowBench.cvc), chainCode: chainCode, isChainCodeNamed: false
                    ).run()
                }
            }
            if opened == 9 {
                #expect(await expectFailure { try await run() } == .usedUp)
            } else {
                let result = try await run()
                #expect(result.hasOurChainCode)
                #expect(result.report.slot.index == opened + 1)
            }
        }
    }
}
