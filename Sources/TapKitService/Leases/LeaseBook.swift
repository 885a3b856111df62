import Bitcoin
import Synchronization
import TapManager
import TapProtocol

/// The leases that people granted, in memory only: a process that ends takes all of them along.
///
/// Their time is that of a clock that continues while the machine sleeps. A lease belongs to the connection that asked for
/// it, and ends with it. Its CVC is in memory that is wiped when it ends.
package final class LeaseBook: Sendable {
    /// A clock that nobody can set, and that continues while the machine sleeps.
    package typealias Clock = @Sendable () -> ContinuousClock.Instant

    /// A lease.
    struct Lease: Sendable {
        let id: Int
        /// The client that asked for it.
        let client: Int
        let program: String
        let wallet: StoredWallet
        let card: CardIdent
        let end: ContinuousClock.Instant
        var signatures: Int
        var left: Amount
        fileprivate let cvc: CVC
        /// What was signed under it: signing the same again costs nothing.
        fileprivate var charged: Set<TransactionID> = []

        fileprivate func allows(_ spending: LeasedSpending, signatures count: Int, at now: ContinuousClock.Instant)
            -> Bool
        {
            guard now < end, wallet == spending.wallet else { return false }
            return charged.contains(spending.id) || count <= signatures && spending.amount <= left
        }
    }

    /// How often ended leases are looked for.
    private static let sweepTime = Duration.seconds(1)

    private let mostLeases: Int
    private let clock: Clock
    private let state = Mutex<(next: Int, leases: [Lease])>((1, []))

    /// - Parameters:
    ///   - mostLeases: how many there may be at once.
    ///   - clock: continues while the machine sleeps.
    package init(mostLeases: Int, clock: @escaping Clock) { (self.mostLeases, self.clock) = (mostLeases, clock) }

    /// The time on the leases' clock.
    var now: ContinuousClock.Instant { clock() }

    /// Whether there is none.
    package var isEmpty: Bool { present.isEmpty }

    /// Those that have not ended, oldest first.
    var present: [Lease] {
        state.withLock { state in
            Self.dropEnded(&state.leases, clock())
            return state.leases
        }
    }

    /// Confirms that there may be another one.
    /// - Throws: `RPCFault.limitReached`.
    func requireRoom() throws {
        guard present.count < mostLeases else { throw noRoom }
    }

    private var noRoom: RPCFault { RPCFault(.limitReached, "There are at most \(mostLeases) leases at once.") }

    /// Adds one that a person granted.
    /// - Parameter cvc: one that the card has accepted.
    /// - Throws: `RPCFault.limitReached`.
    func add(_ offer: LeaseOffer, of client: Int, _ cvc: CVC) throws -> Lease {
        let lease = try state.withLock { state in
            Self.dropEnded(&state.leases, clock())
            guard state.leases.count < mostLeases else { throw noRoom }
            let lease = Lease(
                id: state.next, client: client, program: offer.program, wallet: offer.wallet, card: offer.card.ident,
                end: clock() + .seconds(offer.minutes * 60), signatures: offer.signatures, left: offer.limit, cvc: cvc)
            state.next += 1
            state.leases.append(lease)
            return lease
        }
        Task.detached { [weak self] in
            while self?.has(lease.id) == true { try? await Task.sleep(for: Self.sweepTime) }
        }
        return lease
    }

    /// Whether a client has one.
    func has(of client: Int) -> Bool { present.contains { $0.client == client } }

    private func has(_ id: Int) -> Bool { present.contains { $0.id == id } }

    /// Whether a client's lease lets a card sign something.
    func allows(
        _ spending: LeasedSpending, signatures: Int, by card: CardIdent, for client: Int
    ) -> Bool {
        present.contains {
            $0.client == client && $0.card == card && $0.allows(spending, signatures: signatures, at: now)
        }
    }

    /// Takes something off a client's lease, whether or not the card then signs it.
    /// - Returns: the card's CVC; `nil` if no lease allows it.
    func charge(_ spending: LeasedSpending, signatures: Int, by card: CardIdent, for client: Int) -> CVC? {
        state.withLock { state in
            let now = clock()
            Self.dropEnded(&state.leases, now)
            guard
                let index = state.leases.firstIndex(where: {
                    $0.client == client && $0.card == card && $0.allows(spending, signatures: signatures, at: now)
                })
            else { return nil }
            var lease = state.leases[index]
            if !lease.charged.contains(spending.id) {
                guard let left = lease.left.subtracting(spending.amount) else { return nil }
                lease.left = left
                lease.signatures -= signatures
                lease.charged.insert(spending.id)
                state.leases[index] = lease
            }
            return lease.cvc
        }
    }

    /// Ends a lease.
    /// - Returns: whether there was one.
    func revoke(_ id: Int) -> Bool { remove { $0.id == id } }

    /// Ends a client's leases.
    func revoke(of client: Int) { _ = remove { $0.client == client } }

    /// Ends the leases for a card, whose CVC turned out to be another.
    func revoke(for card: CardIdent) { _ = remove { $0.card == card } }

    /// Ends all.
    func revokeAll() { _ = remove { _ in true } }

    private func remove(_ isMeant: (Lease) -> Bool) -> Bool {
        state.withLock { state in
            let count = state.leases.count
            state.leases.removeAll(where: isMeant)
            return state.leases.count < count
        }
    }

    private static func dropEnded(_ leases: inout [Lease], _ now: ContinuousClock.Instant) {
        leases.removeAll { $0.end <= now }
    }
}
