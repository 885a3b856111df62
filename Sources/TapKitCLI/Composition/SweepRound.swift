import Bitcoin
import ChainData
import TapManager
import TapProtocol

/// Carries a sweep out: shows it, asks, stores it, opens the sealed slot if that is part of it, has the card sign, sends.
struct SweepRound {
    let options: GlobalOptions
    let card: WatchedCard
    /// A file that the signed PSBT is written to, too.
    let copy: String?
    /// QR codes of the signed PSBT that are to be drawn.
    let transfer: QRTransfer?

    /// - Parameters:
    ///   - sealed: the slot that is opened for good; `nil`: none.
    ///   - given: the CVC; `nil`: somebody is asked for it.
    ///   - source: where the signed transaction is sent; `nil`: it is kept.
    /// - Throws: `Failure`, with the signatures in the store, if there are any.
    func run(
        _ planned: SweepPlanning.Planned, opening sealed: SlotReport?, cvc given: CVC?,
        sendingTo source: (any ChainSource)?
    ) async throws {
        let plan = planned.plan
        let id = plan.psbt.unsignedTransaction.id
        let target = StoredTransaction(psbt: plan.psbt, created: card.manager.now, updated: card.manager.now)
        let desk = SigningDesk(options, .stored(target, copy: copy), isExtracting: false, transfer: transfer)
        try confirm(plan, opening: sealed, desk)
        let count = plan.psbt.inputs.count
        let purpose =
            "\(sealed == nil ? "" : "open a slot for good and ")sign a sweep of \(count) coin\(count == 1 ? "" : "s")"
        var key = try CVCSource(given: given, CVCPrompt(card.access, to: purpose))
        if let new = planned.new {
            do throws(StoreError) { try card.manager.store.create(new, replacing: planned.replaced) } catch {
                throw Failure(error)
            }
        }
        if let sealed { key = CVCSource(proven: try await open(sealed, key)) }
        let outcome = try await sign(plan, key)
        var end = end(plan, outcome)
        if end.report.interruption == nil { finishOpening(of: plan.slots) }
        if let source, end.report.interruption == nil, end.result.transaction != nil {
            // Whatever becomes of the sending, the file is there.
            try desk.save(end.result)
            do {
                let stored = try card.manager.transaction(named: id.description)
                _ = try await card.manager.send(stored, to: source)
                end.sentTo = source.name
            } catch {
                throw Failure(unexpected: error).prefixed(
                    "Signed and stored, but not sent: ", hint: "tapkit tx broadcast \(id.abbreviated) sends it.")
            }
        }
        try desk.finish(end)
        if !options.isJSON, source == nil, end.result.transaction != nil {
            options.console.note("Stored. Next: tapkit tx broadcast \(id.abbreviated)")
        }
    }

    private func end(_ plan: SweepPlan, _ outcome: SignFlow.Outcome) -> SigningEnd {
        let keys = outcome.psbt.inputs.flatMap { $0.partialSignatures.compactMap(\.key) }
        let signer = SigningReport.Signer(
            card: card.access.ident, fingerprint: nil, signed: outcome.added, slots: plan.slots)
        return SigningEnd(
            report: SigningReport(
                result: SigningResult(outcome.psbt, added: outcome.added), plan: plan.shown, signers: [signer],
                earlierSigners: Array(Set(keys.map { Fingerprint(of: $0) })), interruption: outcome.interruption,
                isBetweenSigners: true),
            isSimulated: card.isSimulated)
    }

    private func confirm(_ plan: SweepPlan, opening sealed: SlotReport?, _ desk: SigningDesk) throws {
        for line in ReviewText(plan.review, findings: plan.findings).lines { options.console.note(line) }
        switch plan.leftBehind.count {
        case 0: break
        case 1: options.console.note("One coin costs more than it is worth, and stays.")
        case let count: options.console.note("\(count) coins cost more than they are worth, and stay.")
        }
        try desk.checkWritable()
        let slots = plan.slots.map(\.description).joined(separator: ", ")
        let sweep = "weep slot\(plan.slots.count == 1 ? "" : "s") \(slots) of \(card.access.label)?"
        try Confirmation.require(
            sealed.map { "Open slot \($0.slot) for good, and s\(sweep)" } ?? "S\(sweep)", findings: plan.findings,
            options)
    }

    /// Strikes out the opening of a slot that is swept: nobody needs its key any more.
    private func finishOpening(of slots: [SlotNumber]) {
        let flows = (try? card.manager.store.flows(of: card.access.status.ident)) ?? []
        let isOpening = flows.contains { entry in
            if case .unseal(let state) = entry.state { slots.contains { $0.index == state.slotIndex } } else { false }
        }
        if isOpening { try? card.manager.finishUnsealing(card.gate) }
    }

    private func sign(_ plan: SweepPlan, _ key: CVCSource) async throws(Failure) -> SignFlow.Outcome {
        let card = card
        var refused: SignFlow.Outcome?
        do throws(Failure) {
            return try await key.unlock(card) { (cvc) async throws(FlowError) in
                let outcome = await card.manager.sweep(card.gate, cvc: cvc, plan: plan)
                guard outcome.added == 0, let error = outcome.interruption, case .card(.wrongCVC) = error else {
                    return outcome
                }
                refused = outcome
                throw error
            }.result
        } catch {
            // The last wrong CVC is told with how far the sweep came.
            guard let refused, error.code == .wrongCVC else { throw error }
            return refused
        }
    }

    /// Opens the sealed slot, for good.
    /// - Returns: the CVC, which the card has taken.
    private func open(_ sealed: SlotReport, _ key: CVCSource) async throws -> CVC {
        do {
            // What another opening left unfinished is about another slot.
            let unsealing = try UnsealFlow.Plan(for: card.access.status)
            guard case .open(let slot, _) = unsealing, slot == sealed.slot else {
                throw Failure(FlowError.slotSealed(sealed.slot))
            }
            let (result, cvc) = try await key.unlock(card) { (cvc) async throws(FlowError) in
                try await card.manager.unseal(card.gate, cvc: cvc, plan: unsealing)
            }
            guard result.opened.address.scriptPubKey == sealed.address?.scriptPubKey else {
                throw Failure(.badProof, "The card opened another slot than slot \(sealed.slot).")
            }
            return cvc
        } catch {
            throw Failure(unexpected: error).prefixed("", hint: "Run the same command again to go on.")
        }
    }
}
