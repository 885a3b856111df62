import ByteCodec
import FlowSupport
import SmartCard
import Synchronization
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

@Suite struct ChangeCVCFlowTests {
    private func change(_ bench: FlowBench) async throws {
        try await bench.run {
            try await ChangeCVCFlow(driver: $0, from: CVC(FlowBench.cvc), to: CVC("87654321")).change()
        }
    }

    /// Whether the card heard the order to change its CVC before the process died, or the line went dead.
    enum Order: CaseIterable, Sendable {
        case heard, unheard

        /// Breaks the line off at the order.
        func interceptor(_ strike: @escaping @Sendable () -> ReaderError) -> FunctionInterceptor {
            FunctionInterceptor(
                onCommand: { $0.name == "change" && self == .unheard ? .fail(strike()) : .pass },
                onAnswer: { $1.name == "change" ? .fail(strike()) : .pass })
        }
    }

    /// The process dies with the order on its way. Whoever asks is told that either CVC may hold; the next run tries the new
    /// one first, so that no try is lost when the card has heard the order.
    @Test(arguments: Order.allCases) func aChangeThatWasKilledIsInDoubt(_ order: Order) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        bench.watch.disturbance = order.interceptor {
            bench.mortal.die()
            return ReaderError(.cardRemoved, "The process is dead.")
        }
        #expect(await expectFailure { try await change(bench) } != nil)
        #expect(bench.record.cvc == (order == .heard ? "87654321" : FlowBench.cvc))
        #expect(bench.store.flows(of: bench.ident).map(\.state) == [.changeCVC(ChangeCVCState(lastTried: nil))])

        bench.watch.disturbance = nil
        bench.mortal.startAnew()
        bench.reader.insert()
        try await change(bench)
        #expect(bench.record.cvc == "87654321")
        #expect(bench.watch.wrongCVCs == (order == .heard ? 0 : 1))
        #expect(bench.store.flows().isEmpty)
    }

    /// The answer to the order comes so often as a word that says nothing, and the card has not heard the order.
    private func garbling(_ times: Int) -> FunctionInterceptor {
        let left = Mutex(times)
        return FunctionInterceptor(onCommand: { exchange in
            guard exchange.name == "change" else { return .pass }
            let isGarbled = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return isGarbled ? .answer([0x6F, 0x00]) : .pass
        })
    }

    /// Once it is found out which CVC holds, and the order given again. Twice is the flow's end, for each time costs a try; but
    /// then, too, it is known that the card has the CVC that it had.
    @Test func anOrderWhoseAnswerIsGarbledIsGivenOnceMore() async throws {
        var generator = SeededGenerator()
        let once = try await FlowBench.ready(using: &generator)
        once.watch.disturbance = garbling(1)
        try await change(once)
        #expect(once.record.cvc == "87654321" && once.watch.wrongCVCs == 1)

        let twice = try await FlowBench.ready(using: &generator)
        twice.watch.disturbance = garbling(2)
        #expect(await expectFailure { try await change(twice) }?.isGarbledAnswer == true)
        #expect(twice.reader.exchangeCounts["change"] == 2)
        #expect(twice.record.cvc == FlowBench.cvc)
        #expect(twice.store.flows().isEmpty)
        try await change(twice)
        #expect(twice.record.cvc == "87654321")
        #expect(twice.store.flows().isEmpty)
    }

    /// The card is taken away with the order on its way, and nobody waits: that is in doubt too, as long as it is away.
    @Test(arguments: Order.allCases) func aChangeThatWasTornIsInDoubt(_ order: Order) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let lost = ReaderError(.cardRemoved, "The card was taken away.")
        bench.watch.disturbance = order.interceptor {
            bench.reader.pull()
            return lost
        }
        let failure = await expectFailure { try await change(bench) }
        #expect(failure == .cvcInDoubt(.card(.reader(lost))))
        #expect(failure?.code == .cvcInDoubt && failure?.remedy.hasSuffix("shows which one the card has.") == true)
        #expect(bench.store.flows(of: bench.ident).map(\.state.kind) == [.changeCVC])

        bench.watch.disturbance = nil
        bench.reader.insert()
        try await change(bench)
        #expect(bench.record.cvc == "87654321")
        #expect(bench.watch.wrongCVCs == (order == .heard ? 0 : 1))
        #expect(bench.store.flows().isEmpty)
    }

    /// What lies there instead of the card when it should say which CVC it has is asked once more, not for ever; without
    /// patience the change stays in doubt, and with it the person is told what lies there.
    @Test(arguments: [false, true]) func whatIsNoCardIsNotAskedForEver(_ isPatient: Bool) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        bench.watch.disturbance = FunctionInterceptor(
            onCommand: { exchange in
                exchange.name == "select" && bench.reader.exchangeCounts["change"] != nil
                    ? .answer([0x6A, 0x82]) : .pass
            },
            onAnswer: { _, exchange in
                exchange.name == "change" ? .fail(ReaderError(.transportFailed, "The line is bad.")) : .pass
            })
        let log = Mutex<[FlowEvent]>([])
        let failure = await expectFailure {
            try await bench.run(
                patience: isPatient ? .limited(.milliseconds(50)) : nil,
                events: { event in log.withLock { $0.append(event) } }
            ) {
                try await ChangeCVCFlow(driver: $0, from: CVC(FlowBench.cvc), to: CVC("87654321")).change()
            }
        }
        #expect(failure?.code == .cvcInDoubt)
        #expect(failure?.message.contains("not a TAPSIGNER") == true)
        #expect((bench.reader.exchangeCounts["select"] ?? 0) <= 4)
        #expect(log.withLock { $0.contains(.unreadableCard(expected: bench.ident)) } == isPatient)
        #expect(bench.store.flows(of: bench.ident).map(\.state.kind) == [.changeCVC])

        bench.watch.disturbance = nil
        try await change(bench)
        #expect(bench.record.cvc == "87654321" && bench.watch.wrongCVCs <= 1)
    }

    /// What ends a change while it is in doubt keeps its code only if a program must know that: interrupted, no room.
    @Test func whatEndsAChangeInDoubtIsTold() {
        let failure = FlowError.store(.diskFull(path: "/x")).leavingCVCInDoubt
        #expect(failure.code == .diskFull && failure.remedy.hasSuffix("shows which one the card has."))
        #expect(FlowError.interrupted.leavingCVCInDoubt.code == .interrupted)
        for plain in [FlowError.neitherCVC(.atMost(1)), .triesSpent, .card(.badProof(.cvc, detail: ""))] {
            #expect(plain.leavingCVCInDoubt == plain)
        }
    }

    /// A CVC that was accepted and is refused now may have been changed meanwhile: with the new one, that makes two wrong ones,
    /// and a third is not sent.
    @Test func anAcceptedCVCThatIsRefusedCounts() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let refusal: CBORMap = ["error": .text("bad auth"), "code": .unsigned(401)]
        bench.watch.disturbance = FunctionInterceptor(onCommand: { exchange in
            exchange.name == "change" ? .answer(CBOREncoder.encode(.map(refusal)) + [0x90, 0x00]) : .pass
        })
        let failure = await expectFailure { try await change(bench) }
        #expect(failure == .triesSpent)
        #expect(bench.reader.exchangeCounts["change"] == 1)
        #expect(bench.record.cvc == FlowBench.cvc && bench.record.authDelay == 0 && bench.record.wrongAttempts == 1)
        bench.watch.disturbance = nil
        try await change(bench)
        #expect(bench.record.cvc == "87654321")
    }

    /// A person who mistypes the present CVC spends a try for it and, as an earlier run may have changed it, one for the new one;
    /// and may then type it again. The third wrong try is never made by itself.
    @Test(arguments: [FlowBench.cvc, "222222"]) func aMistypedCVCCanBeTypedAgain(_ second: String) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let typed = ["111111", second]
        let asked = Mutex(0)
        let person = ScriptedInteraction(
            give: { request in
                let number = asked.withLock { asked in
                    asked += 1
                    return asked - 1
                }
                guard typed.indices.contains(number) else { throw ScriptedInteraction.Declined() }
                return typed[number]
            }, newCVC: "87654321")
        let manager = CardManager(
            store: bench.store, readers: [SimulatedBackend([bench.reader])], interaction: person,
            acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 7) })
        let card = try await manager.card()
        if second == FlowBench.cvc {
            try await manager.changeCVC(of: card)
            #expect(bench.record.cvc == "87654321" && bench.watch.wrongCVCs == 2)
            #expect(person.words == ["cvc", "newCVC", "cvc again"])
        } else {
            await #expect(throws: ScriptedInteraction.Declined.self) { try await manager.changeCVC(of: card) }
            #expect(bench.record.cvc == FlowBench.cvc && bench.watch.wrongCVCs == 3)
        }
        #expect(bench.store.flows().isEmpty)
    }
}
