import Bitcoin
import ExplainedErrors
import Synchronization
import TapManager
import TapProtocol

/// `lease.request`: asks the person at this machine for a lease.
struct LeaseRequestMethod: ServiceMethod {
    static let name = "lease.request"
    static let summary =
        "Ask the person at this machine for a lease: sign then does not ask for transactions that spend only this wallet's "
        + "proven coins, have nothing to warn of, and stay within its limits. The card proves that the wallet is its "
        + "own. A lease ends with its time, with this connection, and with the service."
    static let result = "As an entry of lease.list."
    private static let minutes = Parameter.number("minutes", LeaseOffer.minutes, "How long it lasts.").required
    private static let signatures = Parameter.number(
        "signatures", LeaseOffer.signatures, "How many signatures the card makes: one for each input."
    ).required
    private static let limit = Parameter.number(
        "limit_sat", 1...2_100_000_000_000_000, "How much may leave the wallet in all, fees included."
    ).required
    static let parameters: [any ParameterDescription] =
        [WalletTarget.wallet, minutes, signatures, limit, Parameter.network] + LeaseCard.parameters

    /// Which card: its CVC is asked for at this machine only.
    private enum LeaseCard {
        static let parameters: [any ParameterDescription] = [
            CardArguments.card, CardArguments.reader, CardArguments.wait,
        ]
    }

    private let target: WalletTarget
    private let (minutes, signatures): (Int, Int)
    private let limit: Amount
    private let network: Network?
    private let options: CardArguments

    init(_ arguments: Arguments) throws {
        target = try WalletTarget(arguments)
        minutes = try arguments.required(Self.minutes)
        signatures = try arguments.required(Self.signatures)
        guard let limit = Amount(satoshis: Int64(try arguments.required(Self.limit))) else {
            throw RPCFault(.invalidParams, "The parameter limit_sat is out of range.")
        }
        self.limit = limit
        network = try arguments.network()
        options = try CardArguments(arguments)
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let leases = call.processor.leases
        try leases.requireRoom()
        let wallet = try target.toUse(call.manager)
        let address = try await call.manager.receivingAddress(of: wallet, number: 0)
        let asking = LeaseInteraction(call)
        let offer = try await call.withCards(options, asking: asking) { manager in
            let card = try await manager.card(options.choice, for: network)
            let offer = LeaseOffer(
                program: call.client.peer.label, wallet: wallet.stored,
                card: card, minutes: minutes, signatures: signatures, limit: limit)
            try await manager.lettingGo(of: card) { try await call.processor.desk.grant(offer) }
            asking.granted(offer)
            // The card that was shown, and no other.
            _ = try await manager.prove(
                address, of: wallet, known: try manager.lastChain(of: wallet),
                by: .identContaining(card.ident.description), network: network)
            return offer
        }
        guard let cvc = asking.given else { throw RPCFault(.internalError, "The card was not asked for its CVC.") }
        let lease = try leases.add(offer, of: call.client.number, cvc)
        // A client that leaves is cancelled first, and its leases are revoked afterwards: one of both finds this one.
        if Task.isCancelled {
            _ = leases.revoke(lease.id)
            throw CancellationError()
        }
        return ServiceAnswer(LeaseDocument(lease, at: leases.now, for: call.client))
    }
}

/// Asks for the CVC of a lease, and keeps the last one, which the card accepts or the lease is not made.
private final class LeaseInteraction: Interaction {
    private let call: ServiceCall
    private let last = Mutex<CVC?>(nil)
    private let offer = Mutex<LeaseOffer?>(nil)

    init(_ call: ServiceCall) { self.call = call }

    /// The person has granted this lease.
    func granted(_ offer: LeaseOffer) { self.offer.withLock { $0 = offer } }

    /// The CVC that the card accepted, if it was asked for anything with one.
    var given: CVC? { last.withLock { $0 } }

    func confirm(_ question: Question) async throws {
        try await call.processor.desk.confirm(question, for: call.client.peer.label)
    }

    func cvc(for request: CVCRequest) async throws -> CVC {
        guard let offer = offer.withLock({ $0 }) else { throw Declined() }
        let cvc = try await call.processor.desk.cvc(for: request, of: offer)
        last.withLock { $0 = cvc }
        return cvc
    }

    func notice(_ notice: Notice) {}
}

/// `lease.list`: what was granted and has not ended.
struct LeaseListMethod: ServiceMethod {
    static let name = "lease.list"
    static let summary = "The leases that have not ended, whoever asked for them."
    static let result = "leases: id, program, wallet, card, seconds_left, signatures_left, left_sat, and own."

    private struct Document: Encodable { let leases: [LeaseDocument] }

    init(_ arguments: Arguments) {}

    func run(_ call: ServiceCall) -> ServiceAnswer {
        let leases = call.processor.leases
        let (present, now) = (leases.present, leases.now)
        return ServiceAnswer(Document(leases: present.map { LeaseDocument($0, at: now, for: call.client) }))
    }
}

/// `lease.revoke`: ends one.
struct LeaseRevokeMethod: ServiceMethod {
    static let name = "lease.revoke"
    static let summary = "End a lease, whoever asked for it."
    static let result = "revoked: whether there was such a lease."
    private static let lease = Parameter.number("lease", 1...Int(Int32.max), "Its id.").required
    static let parameters: [any ParameterDescription] = [lease]

    private struct Document: Encodable { let revoked: Bool }

    private let id: Int

    init(_ arguments: Arguments) throws { id = try arguments.required(Self.lease) }

    func run(_ call: ServiceCall) -> ServiceAnswer {
        ServiceAnswer(Document(revoked: call.processor.leases.revoke(id)))
    }
}

/// A lease for programs.
private struct LeaseDocument: Encodable {
    let id: Int
    let program: String
    let wallet: String
    /// The ident of the card.
    let card: String
    let secondsLeft: Int64
    let signaturesLeft: Int
    let leftSat: Int64
    /// Whether the caller asked for it, so that it can use it.
    let own: Bool

    init(_ lease: LeaseBook.Lease, at now: ContinuousClock.Instant, for client: ServiceClient) {
        id = lease.id
        program = lease.program
        wallet = lease.wallet.name
        card = lease.card.text
        secondsLeft = max(0, now.duration(to: lease.end).components.seconds)
        signaturesLeft = lease.signatures
        leftSat = lease.left.satoshis
        own = lease.client == client.number
    }
}
