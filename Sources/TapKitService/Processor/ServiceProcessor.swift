import Bitcoin
import Synchronization
import TapManager

/// The manager behind JSON-RPC: carries out what clients ask for, whatever transport they came by.
///
/// A client that leaves takes nothing along: what it asked for ends at the next point where nothing is lost, as with
/// Ctrl-C; signatures are in the store by then.
package final class ServiceProcessor: Sendable {
    /// Makes a QR code of a text.
    package typealias QRMaker = @Sendable (String) throws -> QRMatrix

    /// The manager; each call has one that asks the call's client, or the person at this machine.
    let manager: CardManager
    /// The person at this machine.
    let desk: any ServiceDesk
    let limits: ServiceLimits
    /// The network of calls that name none; `nil`: what the card, the wallet or the transaction says.
    let network: Network?
    /// Finds out what keeps cards from being used; `nil`: nobody can.
    let doctor: (@Sendable () async throws -> ServiceAnswer)?
    /// Makes a QR code of a text; `nil`: nobody can.
    let qrCode: QRMaker?
    /// The program's version.
    let version: String
    let turns = CardTurns()
    let leases: LeaseBook
    private let subscriptions = Atomic<Int>(0)
    private let clients = Mutex<(next: Int, present: [Int: ServiceClient])>((0, [:]))

    /// - Parameters:
    ///   - manager: works with the cards, the store and the chain servers.
    ///   - desk: asks the person at this machine.
    ///   - version: the program's.
    ///   - network: that of calls that name none; `nil`: what the card, the wallet or the transaction says.
    ///   - doctor: finds out what keeps cards from being used; `nil`: there is no such method.
    ///   - qrCode: makes a QR code of a text; throws if it does not fit; `nil`: there is no such method.
    package init(
        _ manager: CardManager, desk: any ServiceDesk, version: String, limits: ServiceLimits = ServiceLimits(),
        network: Network? = nil, clock: @escaping LeaseBook.Clock = { ContinuousClock.now },
        doctor: (@Sendable () async throws -> ServiceAnswer)? = nil, qrCode: QRMaker? = nil
    ) {
        (self.manager, self.desk, self.version, self.limits) = (manager, desk, version, limits)
        (self.network, self.doctor, self.qrCode) = (network, doctor, qrCode)
        leases = LeaseBook(mostLeases: limits.leaseCount, clock: clock)
    }

    /// A new client.
    /// - Parameter trust: what it may do beyond what every program may; default: nothing.
    /// - Returns: `nil` if there are too many.
    package func join(
        _ peer: Peer, by connection: any ClientConnection, trust: ClientTrust = .program
    ) -> ServiceClient? {
        clients.withLock { clients in
            guard clients.present.count < limits.clientCount else { return nil }
            clients.next += 1
            let client = ServiceClient(clients.next, peer, trust, connection, self)
            clients.present[client.number] = client
            return client
        }
    }

    /// What a client is told that cannot be served because there are too many.
    package var tooManyClients: [UInt8] {
        let fault = RPCFault(.limitReached, "At most \(limits.clientCount) programs can be connected at once.")
        return RPCText.answer(.failure(fault), to: .null).framed
    }

    /// Whether nobody needs the service now: there is no client, no task and no lease.
    package var isIdle: Bool {
        clients.withLock { $0.present.isEmpty } && !turns.isBusy && leases.isEmpty
    }

    /// Ends everything, as Ctrl-C does. Afterwards nothing of it runs any more.
    package func stop() async {
        let present = clients.withLock { Array($0.present.values) }
        for client in present { client.leave() }
        for client in present { await client.finish() }
        leases.revokeAll()
    }

    /// A number for a subscription; never used again.
    func nextSubscription() -> Int { subscriptions.add(1, ordering: .relaxed).newValue }

    func left(_ client: ServiceClient) {
        _ = clients.withLock { $0.present.removeValue(forKey: client.number) }
        leases.revoke(of: client.number)
    }
}
