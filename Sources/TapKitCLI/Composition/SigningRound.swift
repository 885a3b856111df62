import Bitcoin
import SmartCard
import TapManager
import TapProtocol

/// Signs a PSBT with every card that can help: those on the readers at once, and with `--wait` those that are laid down
/// one after the other, until every signature is there.
struct SigningRound {
    let options: GlobalOptions
    let desk: SigningDesk
    let manager: CardManager
    let policy: SigningPolicy

    /// What came of it so far.
    private struct Progress {
        var psbt: PSBT
        var plan: SigningPlan?
        var signers: [SigningDocument.Signer] = []
        var isSimulated = false
        var done: Set<CardIdent> = []

        var added: Int { signers.reduce(0) { $0 + $1.signed } }
        var tally: SignatureTally { SignatureTally(psbt) }
    }

    /// Reads, signs, writes, answers.
    func run() async throws(Failure) {
        let finder = try CardFinder(options)
        let book = try options.cvcOptions.book()
        // What earlier runs signed counts, whatever file it is in.
        let given = try desk.read()
        var progress = Progress(psbt: try inStore { store throws(StoreError) in try store.addingSignatures(to: given) })
        var cards = try await firstCards(finder, for: progress)
        while true {
            for card in cards where progress.plan == nil || !progress.tally.isComplete {
                try await sign(with: card, isOneOfSeveral: cards.count > 1, book, &progress)
                // Its reader may be the one on which the next card is laid, and some are one user's at a time.
                await card.card.disconnect()
            }
            guard finder.identFilter == nil, let waiting = try options.waiting(), let plan = progress.plan,
                !progress.tally.canSign.isEmpty
            else { break }
            do throws(Failure) {
                cards = [try await nextCard(finder, waiting, for: progress)]
            } catch {
                if error.code == .timedOut { break }
                try finish(progress, of: plan, interruption: error, isBetweenSigners: true)
            }
        }
        guard let plan = progress.plan else { throw Failure(.nothingToSign, "None of the cards can sign an input.") }
        try finish(progress, of: plan)
    }

    /// Tells how the signing ended, and where its signatures are.
    private func finish(
        _ progress: Progress, of plan: SigningPlan, interruption: Failure? = nil, isBetweenSigners: Bool = false
    ) throws(Failure) {
        // What the store cannot tell, it does not have.
        let stored = (try? manager.store.transaction(progress.psbt.unsignedTransaction.id)).flatMap { $0 }
        try desk.finish(
            SigningEnd(
                result: SigningResult(progress.psbt, added: progress.added), plan: plan, signers: progress.signers,
                earlierSigners: stored.map { SignatureTally($0.psbt).signedBy } ?? [], interruption: interruption,
                isBetweenSigners: isBetweenSigners,
                isSimulated: progress.isSimulated,
                isKept: stored?.psbt.hasSignatures(of: progress.psbt) ?? (progress.added == 0)))
    }

    // MARK: Which cards

    private func firstCards(_ finder: CardFinder, for progress: Progress) async throws(Failure) -> [CardAccess] {
        let found: [CardAccess]
        if let waiting = try options.waiting() {
            found = try await finder.wait(waiting, console: options.console, saying: "Lay the card on the reader…") {
                () async throws(Failure) in try await finder.findAll()
            }
        } else {
            found = try await finder.findAll()
        }
        guard found.count > 1 else { return found }
        let signers = found.filter { $0.status.product != .satscard && $0.status.isSetUp }
        guard signers.count > 1 else { return signers.isEmpty ? Array(found.prefix(1)) : signers }
        var candidates: [CosignerChoice.Candidate] = []
        for card in signers { candidates.append(try candidate(card)) }
        let tally = progress.tally
        let choice = CosignerChoice(tally, among: candidates)
        guard !choice.isAmbiguous else { throw finder.ambiguous(signers) }
        guard !choice.chosen.isEmpty else {
            let others = tally.canSign.map { "\($0)" }.joined(separator: " or ")
            throw Failure(
                .nothingToSign,
                "None of the cards on the readers can sign what is missing"
                    + (others.isEmpty ? "." : ": that is for \(others)."))
        }
        return choice.chosen.compactMap { ident in signers.first { $0.status.ident == ident } }
    }

    private func candidate(_ card: CardAccess) throws(Failure) -> CosignerChoice.Candidate {
        let known = try inStore { store throws(StoreError) in try store.card(card.status.ident) }
        return CosignerChoice.Candidate(ident: card.status.ident, fingerprint: known?.fingerprint)
    }

    /// Waits for a card that has not signed yet.
    private func nextCard(
        _ finder: CardFinder, _ waiting: Waiting, for progress: Progress
    ) async throws(Failure) -> CardAccess {
        let tally = progress.tally
        let done = progress.done
        let known = try inStore { store throws(StoreError) in try store.cards() }
        let names = tally.canSign.map { fingerprint in
            known.first { $0.fingerprint == fingerprint }.map { "\($0.ident)" } ?? "the cosigner \(fingerprint)"
        }
        if options.isJSON && options.showsProgress {
            options.console.progress(JSONAnswer.text(NextSignerDocument(tally)))
        } else {
            options.console.note(
                "Signed by \(tally.signedBy.count) of \(tally.threshold). "
                    + "Lay \(names.joined(separator: " or ")) on the reader…")
        }
        return try await finder.wait(waiting, console: options.console, saying: "Waiting for the next card…") {
            () async throws(Failure) in
            for card in try await Self.readable(finder) {
                guard !done.contains(card.status.ident), card.status.product != .satscard, card.status.isSetUp else {
                    continue
                }
                let fingerprint = try candidate(card).fingerprint
                if fingerprint.map(tally.canSign.contains) ?? true { return card }
            }
            throw Failure(.noCard, "No other cosigner's card lies on a reader.")
        }
    }

    /// The cards that lie there. One that is being changed for another, or is no tap card, is waited off.
    private static func readable(_ finder: CardFinder) async throws(Failure) -> [CardAccess] {
        do throws(Failure) { return try await finder.findAll() } catch {
            guard [.notATapCard, .cardMute, .transportFailed].contains(error.code) else { throw error }
            throw Failure(.noCard, "What lies there does not answer as a tap card.")
        }
    }

    private func inStore<Result>(
        _ body: (any Store) throws(StoreError) -> Result
    ) throws(Failure) -> Result {
        do throws(StoreError) { return try body(manager.store) } catch { throw Failure(error) }
    }

    // MARK: Signing

    private func sign(
        with access: CardAccess, isOneOfSeveral: Bool, _ book: CVCBook?, _ progress: inout Progress
    ) async throws(Failure) {
        let task = "sign a PSBT"
        guard access.status.product != .satscard else {
            throw Failure(FlowError.wrongProduct(access.status.product, task: task))
        }
        try access.requireUse(options)
        let (psbt, network) = (progress.psbt, try options.network())
        let source = try CVCSource(
            given: book?.cvc(of: access.status.ident), CVCPrompt(access, to: Self.purpose(psbt)))
        let card = try WatchedCard(access, options, manager)
        progress.done.insert(access.status.ident)
        let (preparation, cvc): (SignFlow.Preparation, CVC)
        do throws(Failure) {
            (preparation, cvc) = try await source.unlock(card) { (cvc) async throws(FlowError) in
                try await SignFlow(gate: card.gate, cvc: cvc).prepare(psbt, network: network, policy: policy)
            }
        } catch {
            progress.isSimulated = progress.isSimulated || card.isSimulated
            guard error.code == .nothingToSign, isOneOfSeveral || progress.plan != nil else {
                throw try failed(error, progress)
            }
            options.console.note("\(access.label) can sign nothing of it.")
            return
        }
        progress.isSimulated = progress.isSimulated || card.isSimulated
        let flow = SignFlow(gate: card.gate, cvc: cvc)
        do throws(StoreError) {
            try manager.remember(
                access.status, fingerprint: preparation.isFingerprintProven ? preparation.fingerprint : nil)
        } catch { throw try failed(Failure(error), progress) }
        do throws(Failure) {
            try desk.confirm(preparation.plan, signer: "card \(access.label)", isRepeated: progress.plan != nil)
        } catch {
            await flow.abandon(preparation)
            throw try failed(error, progress)
        }
        let outcome = try await card.progress.during { () throws(FlowError) in await flow.sign(preparation) }
        if let path = outcome.strandedPath {
            options.console.note(
                "The card was left at path \(path); its own is \(preparation.originalPath) (tapkit derive).")
        }
        progress.psbt = outcome.psbt
        progress.plan = preparation.plan
        progress.signers.append(
            SigningDocument.Signer(
                ident: access.status.ident.text, fingerprint: preparation.fingerprint.description,
                signed: outcome.added))
        if let interruption = outcome.interruption {
            try finish(progress, of: preparation.plan, interruption: Failure(interruption))
        }
    }

    /// What the CVC is needed for.
    private static func purpose(_ psbt: PSBT) -> String {
        let count = psbt.inputs.count
        return "sign a transaction with \(count) input\(count == 1 ? "" : "s")"
    }

    /// A failure behind which the signatures of earlier cards must not be lost.
    private func failed(_ failure: Failure, _ progress: Progress) throws(Failure) -> Failure {
        guard let plan = progress.plan, progress.added > 0 else { return failure }
        try finish(progress, of: plan, interruption: failure, isBetweenSigners: true)
        return failure
    }
}
