import Bitcoin
import FlowSupport
import Synchronization
import TapManager
import TapProtocol
import TestSupport
import Testing

@testable import TapKitService

/// A clock that a test sets.
final class SetClock: Sendable {
    private let start = ContinuousClock.now
    private let passed = Mutex(Duration.zero)

    var now: ContinuousClock.Instant { start + passed.withLock { $0 } }
    func pass(_ duration: Duration) { passed.withLock { $0 += duration } }
}

/// What a lease allows, and each of its limits broken once.
@Suite struct LeaseBookTests {
    private let card: CardAtHand
    private let clock = SetClock()
    private let book: LeaseBook
    private let spending: LeasedSpending

    init() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let service = try ServiceBench(cards: [bench])
        try ServiceBench.storeWallet("w", of: bench, in: service.store)
        card = try await service.processor.manager.card()
        await card.card.disconnect()
        let manager = service.processor.manager
        spending = try #require(LeasedSpending(manager.review(of: try bench.wallet().psbt()), storedIn: manager))
        book = LeaseBook(mostLeases: 2, clock: { [clock] in clock.now })
    }

    private func offer(minutes: Int = 10, signatures: Int = 3, limit: Int64 = 100_000) throws -> LeaseOffer {
        LeaseOffer(
            program: "test", wallet: spending.wallet, card: card, minutes: minutes, signatures: signatures,
            limit: try #require(Amount(satoshis: limit)))
    }

    private func grant(minutes: Int = 10, signatures: Int = 3, limit: Int64 = 100_000) throws -> LeaseBook.Lease {
        try book.add(
            offer(minutes: minutes, signatures: signatures, limit: limit), of: 1, CVC(FlowBench.cvc))
    }

    private func charge(signatures: Int = 1, client: Int = 1) -> CVC? {
        book.charge(spending, signatures: signatures, by: card.ident, for: client)
    }

    @Test func chargesPaymentAndFeeOnceForEachTransaction() throws {
        #expect(spending.amount.satoshis == 51_000 && spending.wallet.name == "w" && spending.inputCount == 1)
        _ = try grant()
        #expect(try charge()?.isEqual(to: CVC(FlowBench.cvc)) == true)
        #expect(book.present.first?.left.satoshis == 49_000 && book.present.first?.signatures == 2)
        // The same transaction again: it moves no more money.
        #expect(charge() != nil)
        #expect(book.present.first?.left.satoshis == 49_000 && book.present.first?.signatures == 2)
    }

    @Test func noMoreMoneyThanGranted() throws {
        _ = try grant(limit: 50_999)
        #expect(!book.allows(spending, signatures: 1, by: card.ident, for: 1))
        #expect(charge() == nil)
        _ = try grant(limit: 51_000)
        #expect(charge() != nil)
    }

    @Test func noMoreSignaturesThanGranted() throws {
        _ = try grant(signatures: 2)
        #expect(charge(signatures: 3) == nil)
        #expect(charge(signatures: 2) != nil)
    }

    @Test func notLongerThanGranted() throws {
        _ = try grant(minutes: 1)
        clock.pass(.seconds(59))
        #expect(charge() != nil)
        clock.pass(.seconds(1))
        #expect(charge() == nil && book.isEmpty)
    }

    @Test func forNoOtherCardAndNoOtherClient() throws {
        _ = try grant()
        var generator = SeededGenerator()
        _ = generator.next()
        let other = try FlowBench(using: &generator).ident
        #expect(other != card.ident)
        #expect(book.charge(spending, signatures: 1, by: other, for: 1) == nil)
        #expect(charge(client: 2) == nil)
        #expect(charge() != nil)
    }

    @Test func notAfterItIsRevoked() throws {
        let lease = try grant()
        #expect(book.revoke(lease.id) && !book.revoke(lease.id))
        #expect(charge() == nil)
        _ = try grant()
        book.revoke(of: 1)
        #expect(charge() == nil)
        _ = try grant()
        book.revoke(for: card.ident)
        #expect(charge() == nil && book.isEmpty)
    }

    @Test func onlySoManyAtOnce() throws {
        _ = try grant()
        _ = try grant()
        #expect(throws: RPCFault.self) { try grant() }
        clock.pass(.seconds(600))
        _ = try grant()
    }
}
