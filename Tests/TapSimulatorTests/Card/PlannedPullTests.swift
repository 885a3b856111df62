import Synchronization
import Testing

@testable import TapSimulator

@Suite struct PlannedPullTests {
    private static let status = Array<UInt8>([0x00, 0xCB, 0x00, 0x00, 0x0C]) + StatusHandler.request

    /// One answer is lost, and only one; the next one tells whether the card had heard the SELECT before it.
    @Test(arguments: [(PlannedPull.Moment.before, [0x6D, 0x00] as [UInt8]), (.after, [0x90, 0x00])])
    func theCardIsTakenOnce(_ moment: PlannedPull.Moment, _ next: [UInt8]) throws {
        let card = try SimulatedCard(SimulatedCardOptions(product: .tapsigner), waitDuration: .zero)
        let pulls = Atomic<Int>(0)
        card.plan(PlannedPull(atExchange: 2, moment)) { pulls.add(1, ordering: .relaxed) }
        try card.powerOn()
        #expect(card.exchange(apdu: [0x00, 0xB0, 0x00, 0x00]) == [0x6D, 0x00])
        #expect(pulls.load(ordering: .relaxed) == 0)
        #expect(card.exchange(apdu: AppSide.select) == nil)
        #expect(pulls.load(ordering: .relaxed) == 1)
        #expect(card.exchange(apdu: Self.status)?.suffix(2) == next[...])
        #expect(pulls.load(ordering: .relaxed) == 1)
    }

    /// Whoever uses the card without a reader is not disturbed.
    @Test func onlyReadersLoseIt() throws {
        let card = try SimulatedCard(SimulatedCardOptions(product: .tapsigner), waitDuration: .zero)
        card.plan(PlannedPull(atExchange: 1, .before)) { Issue.record("taken") }
        try card.powerOn()
        #expect(card.process(apdu: AppSide.select).suffix(2) == [0x90, 0x00])
    }
}
