import TapProtocol

extension CardManager {
    /// The limit for requests of a CVC or backup key: an interaction that never gives up must not drive a card into its
    /// lockout.
    static let mostRequests = 6

    /// Runs a flow on a card of a suitable product, with the card's CVC: see `unlocking`.
    /// - Parameter isLockoutTold: whether a lockout was reported already, before a question.
    /// - Returns: what the flow returns, and the CVC that the card accepted.
    /// - Throws: `FlowError`, and what the interaction throws.
    nonisolated func perform<Result>(
        _ purpose: CVCPurpose, on card: CardAtHand, isLockoutTold: Bool = false,
        _ flow: (CardDriver, CVC) async throws -> Result
    ) async throws -> (result: Result, cvc: CVC) {
        try purpose.requireProduct(of: card)
        try await requireState(of: card, purpose.obstacle)
        if !isLockoutTold { tellLockout(of: card) }
        let driver = driver(for: card)
        return try await unlocking(card, for: purpose) { cvc in try await flow(driver, cvc) }
    }

    /// Confirms that a card's state allows something, so that nobody is asked for a CVC in vain. The card's status may
    /// be out of date, so the card is asked again before refusing.
    ///
    /// Wire: `status`, if there seems to be an obstacle.
    /// - Parameter obstacle: why a card in this state cannot do it; `nil`: nothing is known to prevent it.
    nonisolated func requireState(
        of card: CardAtHand, _ obstacle: (CardStatus) -> FlowError?
    ) async throws(FlowError) {
        guard obstacle(card.status) != nil else { return }
        let status = try await driver(for: card).perform { try $0.refreshStatus() }
        if let obstacle = obstacle(status) { throw obstacle }
    }

    /// Reports a lockout, before anything is asked (`Notice.lockedOut`).
    nonisolated func tellLockout(of card: CardAtHand) {
        if card.status.authDelaySeconds > 0 { interaction.notice(.lockedOut(card)) }
    }

    /// Has a card prove itself before anything is asked, so that nobody types a CVC for one that cannot be used.
    ///
    /// Wire: as `CardDriver.prove()`.
    /// - Throws: `FlowError.notGenuine`, `.card(.badProof)`, ….
    nonisolated func requireGenuine(_ card: CardAtHand) async throws(FlowError) {
        let verdict = try await driver(for: card).prove().verdict
        guard verdict.isAccepted else { throw .notGenuine(verdict) }
    }

    /// Does something with a card and disconnects from it, whatever the result: some readers serve one user at a time.
    package nonisolated func lettingGo<Result>(
        of card: CardAtHand, after task: () async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await task()
            await card.card.disconnect()
            return result
        } catch {
            await card.card.disconnect()
            throw error
        }
    }

    /// Runs a flow with a card's CVC. If the card refuses it, asks for another one and runs the flow from its start:
    /// the card has done nothing for a wrong CVC. A refused one is not sent again.
    /// - Returns: what the flow returns, and the CVC that the card accepted.
    /// - Throws: what the flow and the interaction throw.
    nonisolated func unlocking<Result>(
        _ card: CardAtHand, for purpose: CVCPurpose, _ flow: (CVC) async throws -> Result
    ) async throws -> (result: Result, cvc: CVC) {
        var refused: [CVC] = []
        var refusal: CVCRefusal?
        for _ in 0..<Self.mostRequests {
            let cvc = try await interaction.cvc(
                for: CVCRequest(card: card, purpose: purpose, refusal: refusal))
            if let last = refusal, refused.contains(where: { $0.isEqual(to: cvc) }) {
                refusal = CVCRefusal(error: last.error, isRepeated: true, isInDoubt: last.isInDoubt)
                continue
            }
            do { return (try await flow(cvc), cvc) } catch let error as FlowError {
                guard case .card(.wrongCVC) = error else { throw error }
                refused.append(cvc)
                refusal = CVCRefusal(
                    error: error, isRepeated: false, isInDoubt: (try? driver(for: card).journal.isCVCInDoubt()) ?? false
                )
            }
        }
        throw refusal?.error ?? FlowError.interrupted
    }
}
