import Bitcoin
import TapProtocol

/// Signs a PSBT with every card that can help: those on the readers first and, if the manager has patience, others that
/// are put on a reader one after the other, until no signature is missing. Or with one given card.
struct SigningRun {
    let manager: CardManager
    let choice: CardChoice
    /// The one card that signs; `nil`: whichever are found.
    var card: CardAtHand?
    /// The fingerprint that the card was chosen by.
    var expectedFingerprint: Fingerprint?
    let network: Network?
    let policy: SigningPolicy

    private(set) var psbt: PSBT
    private(set) var plan: SigningPlan?
    private(set) var signers: [SigningReport.Signer] = []
    private(set) var seen: Set<CardIdent> = []

    /// The stored transactions that were not settled when this began.
    private var unsettledBefore: Set<TransactionID> = []
    /// Why a card was passed over that has keys of the transaction.
    private var passedOver: FlowError?

    /// - Parameter given: the PSBT; signatures of earlier runs count, whatever file it came from.
    init(
        _ given: PSBT, _ manager: CardManager, choice: CardChoice, network: Network?, policy: SigningPolicy
    ) throws(StoreError) {
        self.manager = manager
        self.choice = choice
        self.network = network
        self.policy = policy
        psbt = try manager.store.addingSignatures(to: given)
    }

    var store: any Store { manager.store }
    var tally: SignatureTally { SignatureTally(psbt) }
    private var added: Int { signers.reduce(0) { $0 + $1.signed } }

    /// Signs.
    mutating func run() async throws -> SigningReport {
        let isAnyCard = card == nil && choice == .any
        // No damaged record of another transaction prevents signing.
        unsettledBefore = (try? store.unsettledTransactions()) ?? []
        do {
            if isAnyCard || policy.requiresRegistration, let settled = try settled() { return settled }
        } catch {
            await card?.card.disconnect()
            throw error
        }
        var cards: [CardAtHand] = if let card { [card] } else { try await firstCards() }
        while true {
            for card in cards where plan == nil || !tally.isComplete {
                do { try await sign(with: card, isOneOfSeveral: cards.count > 1) } catch {
                    await card.card.disconnect()
                    // Signatures of earlier cards must not be lost because of this error.
                    guard let plan, let failure = error as? Ended ?? (added > 0 ? Ended(error) : nil) else {
                        throw error
                    }
                    return report(plan, failure)
                }
                // The next card may be put on this card's reader, and some readers serve one user at a time.
                await card.card.disconnect()
            }
            guard card == nil, choice == .any, manager.patience != nil, let plan, !tally.canSign.isEmpty else { break }
            do throws(CardSearchError) { cards = [try await nextCard()] } catch {
                if case .timedOut = error { break }
                return report(plan, Ended(error))
            }
        }
        guard let plan else { throw passedOver ?? CardSearchError.noneCanSign(missing: tally.canSign) }
        return report(plan, nil)
    }

    /// How signing was ended.
    private struct Ended: Error {
        let reason: any Error
        let isBetweenSigners: Bool

        init(_ reason: any Error, isBetweenSigners: Bool = true) {
            self.reason = reason
            self.isBetweenSigners = isBetweenSigners
        }
    }

    private func report(_ plan: SigningPlan, _ end: Ended?) -> SigningReport {
        // What the store cannot read, it does not have.
        let stored = (try? store.transaction(psbt.unsignedTransaction.id)).flatMap { $0 }
        return SigningReport(
            result: SigningResult(psbt, added: added), plan: plan, signers: signers,
            earlierSigners: stored.map { SignatureTally($0.psbt).signedBy } ?? [], interruption: end?.reason,
            isBetweenSigners: end?.isBetweenSigners ?? false,
            isKept: stored?.psbt.hasSignatures(of: psbt) ?? (added == 0))
    }

    // MARK: Nothing left to do

    /// The result if every signature exists, and no card was left in the middle of this signing: then none is needed.
    /// - Throws: `FlowError`: `.refused`, `.registrationUnconfirmed`; `StoreError.contradiction`.
    private func settled() throws -> SigningReport? {
        let id = psbt.unsignedTransaction.id
        guard tally.isComplete else { return nil }
        for entry in try store.flows() {
            if case .sign(let state) = entry.state, state.transaction == id { return nil }
        }
        let preview = SigningPreview(
            of: psbt, network: network, policy: policy, store: store, unsettledBefore: unsettledBefore)
        let review = try preview.requireReview()
        try store.check(psbt)
        guard !policy.requiresRegistration else {
            // A card has to confirm it, and can as long as the PSBT says which keys are whose.
            guard !psbt.isFinalized else { throw FlowError.registrationUnconfirmed }
            return nil
        }
        return report(alreadySigned(review, preview), nil)
    }

    private func alreadySigned(_ review: TransactionReview, _ preview: SigningPreview) -> SigningPlan {
        manager.interaction.notice(.alreadySigned(manager.informed(review), preview.findings))
        return SigningPlan(showing: review, preview.findings, of: psbt, presentCount: preview.presentCount)
    }

    // MARK: One card

    /// Review → yes → CVC → sign, and another yes if the card's keys make it worse.
    private mutating func sign(with card: CardAtHand, isOneOfSeveral: Bool) async throws {
        guard card.status.product != .satscard else {
            throw FlowError.wrongProduct(card.status.product, task: .signTransaction)
        }
        try await manager.requireUse(of: card, network: policy.ignoresSignerNetwork ? nil : network)
        seen.insert(card.ident)
        do throws(FlowError) {
            try await manager.requireState(of: card, CVCPurpose.missingKey)
        } catch {
            guard error == .notSetUp, isOneOfSeveral || plan != nil else { throw error }
            return manager.interaction.notice(.cannotHelp(card))
        }
        let preview: SigningPreview
        do {
            preview = try self.preview(of: card)
        } catch let error as FlowError where error.isOfAnotherSigner && (isOneOfSeveral || plan != nil) {
            return passOver(card, error)
        }
        // Do not ask for a CVC if nothing was shown.
        let review = try preview.requireReview()
        // The user has seen the transaction that another run stored, too.
        try store.check(psbt)
        let (psbt, network, policy, manager) = (psbt, network, policy, manager)
        let unsettledBefore = unsettledBefore
        let driver = manager.driver(for: card)
        // Refused before a CVC is asked for, if nobody knows the path.
        let owedPath = try driver.journal.owedPath(from: card.status.path)
        let unproven = try unprovenFingerprint(of: card)
        let isConfirmed = !policy.requiresRegistration || (preview.presentCount == 0 && !psbt.isFinalized)
        if preview.signatureCount == 0, unproven == nil, isConfirmed,
            let fingerprint = try store.card(card.ident)?.fingerprint, owedPath == nil
        {
            guard preview.presentCount > 0 || psbt.isFinalized else {
                guard isOneOfSeveral || plan != nil else {
                    throw FlowError.nothingToSign(by: fingerprint, in: psbt, preview.findings)
                }
                return manager.interaction.notice(.cannotHelp(card))
            }
            plan = alreadySigned(review, preview)
            signers.append(SigningReport.Signer(card, fingerprint: fingerprint, signed: 0))
            return
        }
        manager.tellLockout(of: card)
        let occasion: SigningQuestion.Occasion = plan == nil ? .first : .furtherSigner
        // A card that only has to be moved back signs nothing.
        let signs = preview.signatureCount != 0
        if signs {
            try await manager.confirm(
                review, preview.findings, for: .card(card), count: preview.signatureCount, occasion)
        }

        let (preparation, cvc): (SignFlow.Preparation, CVC)
        do {
            (preparation, cvc) = try await manager.unlocking(card, for: .signTransaction(review)) { cvc in
                if let unproven { try await manager.requireFingerprint(unproven, of: card, cvc: cvc) }
                return try await SignFlow(driver: driver, cvc: cvc).prepare(
                    psbt, network: network, policy: policy, unsettledBefore: unsettledBefore)
            }
        } catch let error as FlowError where error.isOfAnotherSigner && (isOneOfSeveral || plan != nil) {
            return passOver(card, error)
        } catch let error as FlowError where signs && error.isLoss {
            guard let count = preview.signatureCount else { throw error }
            throw LostBeforeSigning(reason: error, done: preview.presentCount, total: preview.presentCount + count)
        }
        let flow = SignFlow(driver: driver, cvc: cvc)
        do {
            if let expectedFingerprint, preparation.fingerprint != expectedFingerprint {
                throw CardSearchError.otherFingerprint(
                    card, expected: expectedFingerprint, found: preparation.fingerprint)
            }
            try manager.remember(
                card.status, fingerprint: preparation.isFingerprintProven ? preparation.fingerprint : nil)
            if signs {
                try await manager.confirm(preparation.plan, for: .card(card), after: preview)
            } else if preparation.plan.signatureCount > 0 {
                try await manager.confirm(
                    preparation.plan.review, preparation.plan.findings, for: .card(card),
                    count: preparation.plan.signatureCount, occasion)
            }
        } catch {
            await flow.abandon(preparation)
            throw error
        }
        let id = psbt.unsignedTransaction.id
        manager.hub.publish(.signing(id, .began(card.ident)))
        let outcome = await flow.sign(preparation)
        let missing = SignatureTally(outcome.psbt).missing
        manager.hub.publish(.signing(id, .ended(card.ident, added: outcome.added, missing: missing)))
        if let path = outcome.strandedPath {
            manager.interaction.notice(.leftAway(card, at: path, own: preparation.originalPath))
        }
        self.psbt = outcome.psbt
        plan = preparation.plan
        signers.append(
            SigningReport.Signer(card, fingerprint: preparation.fingerprint, signed: outcome.added))
        if let interruption = outcome.interruption { throw Ended(interruption, isBetweenSigners: false) }
    }

    /// Continues with the next card. If none signs, why a card was passed over counts if that is not that it has no key.
    private mutating func passOver(_ card: CardAtHand, _ error: FlowError) {
        manager.interaction.notice(.cannotHelp(card))
        if case .noRegistration = error { passedOver = error }
    }

    /// The fingerprint that the card was chosen by, unless the store already links it to the card.
    private func unprovenFingerprint(of card: CardAtHand) throws(StoreError) -> Fingerprint? {
        guard let expectedFingerprint, try store.card(card.ident)?.fingerprint != expectedFingerprint else {
            return nil
        }
        return expectedFingerprint
    }

    /// What is known before the CVC.
    private func preview(of card: CardAtHand) throws -> SigningPreview {
        var planner = try SigningPlanner(
            psbt: psbt, network: network, signer: "The card", signerNetwork: card.status.keyNetwork, policy: policy,
            wallet: store.wallet(of: psbt))
        planner.earlier = try store.earlierClaims(for: psbt)
        planner.unsettledBefore = unsettledBefore
        return try SigningPreview(planner, keys: try keys(of: card, planner), store: store)
    }

    /// The card's keys at every account that the PSBT uses, as the store has them proven; `nil` if one is missing.
    private func keys(of card: CardAtHand, _ planner: SigningPlanner) throws -> SignerKeys? {
        guard let fingerprint = try store.card(card.ident)?.fingerprint else { return nil }
        return try store.provenKeys(of: card.status.publicKey, fingerprint, for: planner)
    }
}

extension FlowError {
    /// Whether another signer may be able to sign what this one does not.
    fileprivate var isOfAnotherSigner: Bool {
        switch self {
        case .nothingToSign, .noRegistration: true
        default: false
        }
    }
}
