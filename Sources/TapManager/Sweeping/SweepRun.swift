import Bitcoin
import ChainData
import TapProtocol

/// Carries out a planned sweep with one SATSCARD: asks for confirmation, stores it, unseals the sealed slot if that is
/// part of it, has the card sign, and sends it. After an interruption, the same sweep is continued.
struct SweepRun {
    private let manager: CardManager
    private let card: CardAtHand
    private let driver: CardDriver
    private let planned: SweepPlanning.Planned
    /// The slot to unseal permanently; `nil`: none.
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

    /// How far the card got.
    private struct Progress {
        var psbt: PSBT
        var added = 0
        var interruption: (any Error)?
    }

    /// Review → yes → CVC → the sweep is stored → the slot is unsealed → signatures → sent.
    /// - Parameter source: where to send the signed transaction; `nil`: it is only stored.
    /// - Throws: as long as nothing was started: what the interaction throws, and `FlowError.store`.
    func run(sendingTo source: (any ChainSource)?) async throws -> SweepReport {
        manager.tellLockout(of: card)
        let review = manager.informed(plan.review)
        try await manager.interaction.confirm(
            .sweep(
                SweepQuestion(
                    card: card, review: review, findings: plan.findings, slots: plan.slots,
                    openedSlot: sealed?.slot, leftBehind: plan.leftBehind)))
        // How the card sent its key then is not recorded.
        if sealed == nil, let slot = unfinishedOpening {
            manager.interaction.notice(.slotKeyExposed(card, slot, isCertain: false))
        }
        let end = try await sign(review)
        let signing = report(end)
        var sending = SweepReport.Sending.none
        if end.interruption == nil {
            finishOpening()
            if let source, signing.result.transaction != nil { sending = await send(to: source) }
        }
        return SweepReport(signing: signing, sending: sending)
    }

    // MARK: The card

    /// Has the card unseal and sign. Once the sweep is stored, nothing is thrown: the result shows what happened.
    private func sign(_ review: TransactionReview) async throws -> Progress {
        let purpose = CVCPurpose.sweep(review, opensSlot: sealed != nil)
        var isBegun = false
        do {
            let outcome = try await manager.unlocking(card, for: purpose) { (cvc) async throws(FlowError) in
                if !isBegun { try keep() }
                isBegun = true
                if let sealed { try await open(sealed, cvc) }
                let outcome = await SweepFlow(driver: driver, cvc: cvc).sign(plan)
                // If the card refused the CVC and did nothing, another one may be tried; but not if it has just
                // unsealed a slot with it.
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

    /// Stores what is new in the sweep.
    private func keep() throws(FlowError) {
        guard let new = planned.new else { return }
        do throws(StoreError) { try store.create(new, replacing: planned.replaced) } catch { throw .store(error) }
    }

    /// Unseals the sealed slot permanently.
    private func open(_ sealed: SlotReport, _ cvc: CVC) async throws(FlowError) {
        // The card's status may be old, and an unfinished unsealing may be another slot's.
        let status = try await driver.perform { try $0.refreshStatus() }
        let opening = try UnsealPlan(for: status)
        guard case .open(let slot, let ends) = opening, slot == sealed.slot, let address = sealed.address,
            ends.matches(address.written(for: status.network))
        else { throw .slotSealed(sealed.slot) }
        let unsealed = try await UnsealFlow(driver: driver, cvc: cvc).run(opening, at: address)
        // Before anything that can fail: the money is in danger until it is sent.
        if unsealed.wasExposed != false {
            manager.interaction.notice(
                .slotKeyExposed(card, unsealed.opened.slot, isCertain: unsealed.wasExposed == true))
        }
        if unsealed.opened.isTampered, !card.status.isTampered { manager.interaction.notice(.tampered(card)) }
        guard unsealed.opened.address.scriptPubKey == address.scriptPubKey else {
            throw .card(.badProof(.address, detail: "the card unsealed a different slot than slot \(sealed.slot)"))
        }
    }

    /// The slot that is swept and whose unsealing is unfinished, according to the journal.
    private var unfinishedOpening: SlotNumber? {
        guard case .unseal(let state)? = try? driver.journal.unfinished(.unseal) else { return nil }
        return plan.slots.first { $0.index == state.slotIndex }
    }

    /// Removes the unsealing of a slot that is swept from the journal: nobody needs its key any more.
    private func finishOpening() {
        if unfinishedOpening != nil { try? driver.journal.finish(.unseal) }
    }

    // MARK: What came of it

    private func report(_ end: Progress) -> SigningReport {
        // What the store cannot read, it does not have.
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
