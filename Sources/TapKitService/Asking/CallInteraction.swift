import AnswerDocuments
import Bitcoin
import ByteCodec
import ExplainedErrors
import Synchronization
import TapManager
import TapProtocol

/// Asks for one call: the person at this machine, or the client if it said at the call that it asks its own user. What
/// is covered by a lease is not asked. Notices go to the client, with the call's identifier.
final class CallInteraction: Interaction {
    /// Who is asked.
    enum Side: String, CaseIterable {
        /// The person at this machine, by the program that runs the service.
        case desk
        /// The client's user, by the client.
        case client
        /// The client's user says yes or no, by the client; the person at this machine gives the CVC. For the page of
        /// this program only (``ClientTrust/page``): another could agree to warnings that the person never saw.
        case both
    }

    let call: ServiceCall
    private let side: Side
    /// What the call signs, if a lease may cover it.
    private let spending: LeasedSpending?
    /// The cards that a lease lets sign, with the number of signatures.
    private let leased = Mutex<[CardIdent: Int]>([:])
    /// What a lease answered, by card, until somebody is asked.
    private let unasked = Mutex<[CardIdent: SigningQuestion]>([:])
    /// The cards that were given a lease's CVC.
    private let served = Mutex<Set<CardIdent>>([])
    /// Whether somebody agreed to the transaction in this call.
    private let isAgreed = Mutex(false)

    init(_ call: ServiceCall, asking side: Side, spending: LeasedSpending? = nil) {
        (self.call, self.side, self.spending) = (call, side, spending)
    }

    func confirm(_ question: Question) async throws {
        guard case .sign(let asked) = question else { return try await ask(question) }
        if !isLeased(asked) { try await askToSign(asked) }
    }

    func cvc(for request: CVCRequest) async throws -> CVC {
        if let cvc = leasedCVC(for: request) { return cvc }
        // The lease ended in between, or the card has another CVC: then its yes is worth nothing either.
        if let asked = unasked.withLock({ $0[request.card.ident] }) { try await askToSign(asked) }
        switch side {
        case .desk, .both: return try await call.processor.desk.cvc(for: request, for: call.client.peer.label)
        case .client: return try await cvcByClient(for: request)
        }
    }

    /// Asks whether to sign. Whoever was asked nothing about the cards before, as a lease answered or they had signed
    /// already, is shown the whole transaction.
    private func askToSign(_ asked: SigningQuestion) async throws {
        let isAgreed = isAgreed.withLock { $0 }
        if case .card(let card) = asked.signer { _ = unasked.withLock { $0.removeValue(forKey: card.ident) } }
        try await ask(.sign(asked.occasion == .furtherSigner && !isAgreed ? asked.asFirst : asked))
        self.isAgreed.withLock { $0 = true }
    }

    private func ask(_ question: Question) async throws {
        switch side {
        case .desk: try await call.processor.desk.confirm(question, for: call.client.peer.label)
        case .client, .both: try await confirmByClient(question)
        }
    }

    func newCVC(for card: CardAtHand, insteadOf present: CVC?) async throws -> CVC {
        switch side {
        case .desk, .both:
            try await call.processor.desk.newCVC(for: card, insteadOf: present, for: call.client.peer.label)
        case .client: try await newCVCByClient(for: card, insteadOf: present)
        }
    }

    func backupKey(for purpose: BackupPurpose, after refusal: TapError?) async throws -> Backup.Key {
        switch side {
        case .desk, .both:
            try await call.processor.desk.backupKey(for: purpose, after: refusal, for: call.client.peer.label)
        case .client: try await backupKeyByClient(for: purpose, after: refusal)
        }
    }

    func notice(_ notice: Notice) { call.client.tell("notice", call.naming(NoticeDocument(notice))) }

    // MARK: Leases

    /// Whether a lease covers what is asked: exactly the transaction that was examined, without anything to warn of.
    private func isLeased(_ asked: SigningQuestion) -> Bool {
        guard let spending, case .card(let card) = asked.signer, asked.review.unsignedTransactionID == spending.id,
            asked.findings.allSatisfy({ $0.severity == .notice })
        else { return false }
        if case .worse = asked.occasion { return false }
        // What is asked about may be known better, or the store may have changed: no more may leave the wallet than then.
        guard let leaving = LeasedSpending.amount(leavingBy: asked.review), leaving <= spending.amount else {
            return false
        }
        // How many signatures the PSBT says that the card makes is the client's word.
        let count = spending.inputCount
        guard
            call.processor.leases.allows(spending, signatures: count, by: card.ident, for: call.client.number)
        else { return false }
        leased.withLock { $0[card.ident] = count }
        unasked.withLock { $0[card.ident] = asked }
        return true
    }

    private func leasedCVC(for request: CVCRequest) -> CVC? {
        if request.refusal != nil, served.withLock({ $0.contains(request.card.ident) }) {
            // The card has another CVC by now: it must not count wrong tries.
            call.processor.leases.revoke(for: request.card.ident)
            return nil
        }
        guard let spending, case .signTransaction(let review) = request.purpose,
            review.unsignedTransactionID == spending.id,
            let count = leased.withLock({ $0.removeValue(forKey: request.card.ident) })
        else { return nil }
        let cvc = call.processor.leases.charge(
            spending, signatures: count, by: request.card.ident, for: call.client.number)
        if cvc != nil { _ = served.withLock { $0.insert(request.card.ident) } }
        return cvc
    }

    // MARK: The client's user

    private func confirmByClient(_ question: Question) async throws {
        let reply = try await call.client.questions.ask("interaction.confirm", call.naming(QuestionDocument(question)))
        var accepted: Set<String> = []
        switch reply.result {
        case .bool(true)?: break
        case .object(let members)? where Set(members.keys) == ["accept"]:
            guard let codes = members["accept"]?.array?.map(\.string), !codes.contains(nil) else { throw Declined() }
            accepted = Set(codes.compactMap(\.self))
        default: throw Declined()
        }
        let open = Set(QuestionDocument.losses(in: question).map(\.code.rawValue)).subtracting(accepted)
        guard open.isEmpty else {
            throw ClientRefusal(
                .notAccepted,
                "Money could be lost, and a yes does not accept that: \(open.sorted().joined(separator: ", ")).")
        }
    }
}

/// What a client's user did not give.
struct ClientRefusal: ExplainedError {
    let code: ErrorCode
    let message: String

    init(_ code: ErrorCode, _ message: String) { (self.code, self.message) = (code, message) }
}
