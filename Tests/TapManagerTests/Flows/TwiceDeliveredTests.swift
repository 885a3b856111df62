import Bitcoin
import FlowSupport
import SmartCard
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// A driver that believes a command lost sends it once more, and the card, which has done it, refuses the second one. What the
/// card did is found out all the same.
@Suite struct TwiceDeliveredTests {
    private let chainCode = ChainCode(repeating: 0x5A)

    private func twice(_ command: String) -> FunctionInterceptor {
        FunctionInterceptor(onCommand: { $0.name == command ? .passTwice : .pass })
    }

    @Test func aChangeOfTheCVC() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        bench.watch.disturbance = twice("change")
        try await bench.run {
            try await ChangeCVCFlow(driver: $0, from: CVC(FlowBench.cvc), to: CVC("87654321")).change()
        }
        #expect(bench.record.cvc == "87654321" && bench.watch.wrongCVCs == 1)
        #expect(bench.store.flows().isEmpty)
    }

    /// A card that refuses the order itself has the CVC that it had.
    @Test func aRefusedChangeOfTheCVC() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        var goal = SetupFlow.Goal(path: nil, chainCode: chainCode, isChainCodeNamed: false, newCVC: nil)
        goal.makesBackup = false
        _ = try await bench.run { [goal] in
            try await SetupFlow(driver: $0, cvc: CVC(FlowBench.cvc), goal: goal).run { _ in }
        }
        bench.watch.disturbance = twice("change")
        let failure = await expectFailure {
            try await bench.run {
                try await ChangeCVCFlow(driver: $0, from: CVC(FlowBench.cvc), to: CVC("87654321")).change()
            }
        }
        #expect(failure?.code == .backupFirst && bench.record.cvc == FlowBench.cvc)
        #expect(bench.store.flows().isEmpty)
    }

    @Test(arguments: [SimulatedProduct.tapsigner, .satschip]) func aNewKey(_ product: SimulatedProduct) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(product, using: &generator)
        bench.watch.disturbance = twice("new")
        let goal = SetupFlow.Goal(path: nil, chainCode: chainCode, isChainCodeNamed: false, newCVC: nil)
        let setup = try await bench.run {
            try await SetupFlow(driver: $0, cvc: CVC(FlowBench.cvc), goal: goal).run { _ in }
        }
        #expect(setup.isKeyNew && bench.store.flows().isEmpty)
        #expect(try bench.wallet().master.chainCode == chainCode)
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases)
    func aNewSlot(_ version: TapSimulator.AppletVersion) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: 2, isBlank: true, using: &generator)
        bench.watch.disturbance = twice("new")
        let made = try await bench.run {
            try await NextSlotFlow(
                driver: $0, cvc: CVC(FlowBench.cvc), chainCode: chainCode, isChainCodeNamed: false
            ).run()
        }
        #expect(made.hasOurChainCode && bench.store.flows().isEmpty)
        #expect(try bench.chainCode(made.report.slot) == chainCode)
    }

    /// The last slot's number does not tell whether it was unsealed: a wrong CVC is sent once all the same, whatever is lost then.
    @Test func aWrongCVCForTheLastSlotIsSentOnce() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 9, using: &generator)
        bench.watch.disturbance = FunctionInterceptor(onAnswer: { _, exchange in
            exchange.name == "status" || exchange.name == "dump" ? .pull(.whenAwaited) : .pass
        })
        let failure = await expectFailure {
            try await bench.unseal(cvc: "999999", patience: .limited(.milliseconds(300)))
        }
        #expect(failure?.isWrongCVC == true && bench.watch.wrongCVCs == 1)
        #expect(try bench.slotStates()[9] == .sealed)
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases)
    func anOpening(_ version: TapSimulator.AppletVersion) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(version, opened: 2, using: &generator)
        bench.watch.disturbance = twice("unseal")
        let opened = try await bench.unseal()
        #expect(opened.opened.slot.index == 2)
        try bench.expectOwn(opened.opened)
    }
}
