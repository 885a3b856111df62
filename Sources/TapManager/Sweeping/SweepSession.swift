import Bitcoin
import ChainData
import TapProtocol

/// Carries a planned sweep out with one SATSCARD: has it confirmed, stores it, opens the sealed slot if that is part of it, has
/// the card sign, sends. Interrupted, the same sweep is gone on with.
struct SweepSession {
    private let manager: CardManager
    private let card: CardAtHand
    private let driver: CardDriver
    private let planned: SweepPlanning.Planned
    /// The slot that is opened for good; `nil`: none.
    private let sealed: SlotReport?

    init(_ manager: CardManager, _ card: CardAtHand, _ planned: SweepPlanning.Planned, opening sealed: SlotReport?) {
        self.manager = manager
        self.card = card
        self.planned = planned
        self.sealed = sealed
        driver = manager.driver(for: card)
    }

    private var plan: SweepPlan { planned.plan }
    private var store: any Store { manager.store }
    private var id: TransactionID { plan.psbt.unsignedTransaction.id }

    /// How far the card came.
    private struct Progress {
        var psbt: PSBT
        var added = 0
        var interruption: (any Error)?
    }

    /// Review → yes → CVC → the sweep is stored → the slot is opened → signatures → sent.
    /// - Parameter source: where the signed transaction is sent; `nil`: it is kept.
    /// - Throws: as long as nothing was begun: what the interaction throws, and `FlowError.store`.
    func run(sendingTo source: (any ChainSource)?) async throws -> SweepReport {
        try await manager.interaction.confirm(
            .sweep(
                SweepQuestion(
                    card: card, review: manager.informed(plan.review), findings: plan.findings, slots: plan.slots,
                    openedSlot: sealed?.slot, leftBehind: plan.leftBehind)))
        let end = try await sign()
        let signing = report(end)
        var sending = SweepReport.Sending.none
        if end.interruption == nil {
            finishOpening()
            if let source, signing.result.transaction != nil { sending = await send(to: source) }
        }
        return SweepReport(signing: signing, sending: sending)
    }

    // MARK: The card

    /// Has the card open and sign. Once the sweep is stored, nothing is thrown: the end tells what happened.
    private func sign() async throws -> Progress {
        let purpose = CVCPurpose.sweep(coins: plan.psbt.inputs.count, opensSlot: sealed != nil)
        var isBegun = false
        do {
            let outcome = try await manager.unlocking(card, for: purpose) { (cvc) async throws(FlowError) in
                if !isBegun { try keep() }
                isBegun = true
                if let sealed { try await open(sealed, cvc) }
                let outcome = await SweepFlow(driver: driver, cvc: cvc).sign(plan)
                // A card that refused the CVC and did nothing may be given another one; one that has just opened a slot with it
                // may not.
                if sealed == nil, outcome.added == 0, let error = outcome.interruption, case .card(.wrongCVC) = error {
                    throw error
                }
                return outcome
            }.result
            return Progress(psbt: outcome.psbt, added: outcome.added, interruption: outcome.interruption)
        } catch {
            guard isBegun else { throw error }
            return Progress(psbt: plan.psbt, interruption: error)
        }
    }

    /// Stores what is new of the sweep.
    private func keep() throws(FlowError) {
        guard let new = planned.new else { return }
        do throws(StoreError) { try store.create(new, replacing: planned.replaced) } catch { throw .store(error) }
    }

    /// Opens the sealed slot, for good.
    private func open(_ sealed: SlotReport, _ cvc: CVC) async throws(FlowError) {
        // What the card was like when it was found may be long ago, and what another opening left unfinished is about another slot.
        let status = try await driver.perform { try $0.refreshStatus() }
        let opening = try UnsealPlan(for: status)
        guard case .open(let slot, let ends) = opening, slot == sealed.slot, let address = sealed.address,
            ends.matches(address.written(for: status.network))
        else { throw .slotSealed(sealed.slot) }
        let opened = try await UnsealFlow(driver: driver, cvc: cvc).run(opening, at: address).opened
        guard opened.address.scriptPubKey == address.scriptPubKey else {
            throw .card(.badProof(.address, detail: "the card unsealed another slot than slot \(sealed.slot)"))
        }
    }

    /// Strikes out the opening of a slot that is swept: nobody needs its key any more.
    private func finishOpening() {
        let flows = (try? store.flows(of: card.ident)) ?? []
        let isOpening = flows.contains { entry in
            guard case .unseal(let state) = entry.state else { return false }
            return plan.slots.contains { $0.index == state.slotIndex }
        }
        if isOpening { try? driver.journal.finish(.unseal) }
    }

    // MARK: What came of it

    private func report(_ end: Progress) -> SigningReport {
        // What the store cannot tell, it does not have.
        let stored = (try? store.transaction(id)).flatMap { $0 }
        let keys = end.psbt.inputs.flatMap { $0.partialSignatures.compactMap(\.key) }
        return SigningReport(
            result: SigningResult(end.psbt, added: end.added), plan: plan.shown,
            signers: [
                SigningReport.Signer(card, fingerprint: nil, signed: end.added, slots: plan.slots)
            ],
            earlierSigners: Array(Set(keys.map { Fingerprint(of: $0) })), interruption: end.interruption,
            isBetweenSigners: true, isKept: stored?.psbt.hasSignatures(of: end.psbt) ?? false)
    }

    private func send(to source: any ChainSource) async -> SweepReport.Sending {
        do {
            guard let stored = try store.transaction(id) else { throw StoreError.noSuchTransaction(id) }
            _ = try await manager.sendConfirmed(stored, to: source)
            return .sent(server: source.name)
        } catch { return .failed(error) }
    }
}
