import TapProtocol

extension CardManager {
    /// So many CVCs are asked for at most: an interaction that knows no end must not run a card into its security delay.
    private static let mostRequests = 6

    /// Runs a flow on a card of a product that can do it, with the card's CVC: see `unlocking`.
    /// - Returns: what the flow returns, and the CVC that the card took.
    /// - Throws: `FlowError`, and what the interaction throws.
    nonisolated func perform<Result>(
        _ purpose: CVCPurpose, on card: CardAtHand, _ flow: (CardDriver, CVC) async throws -> Result
    ) async throws -> (result: Result, cvc: CVC) {
        try purpose.requireProduct(of: card)
        try await requireState(of: card, purpose.obstacle)
        let driver = driver(for: card)
        return try await unlocking(card, for: purpose) { cvc in try await flow(driver, cvc) }
    }

    /// Confirms that a card's state does not keep it from something, so that nobody is asked for a CVC in vain. What it said when
    /// it was found may be out of date, so it is asked once more before it is refused.
    ///
    /// Wire: `status`, where something seems to be in the way.
    /// - Parameter obstacle: why a card in this state cannot do it; `nil`: nothing is known to be in the way.
    nonisolated func requireState(
        of card: CardAtHand, _ obstacle: (CardStatus) -> FlowError?
    ) async throws(FlowError) {
        guard obstacle(card.status) != nil else { return }
        let status = try await driver(for: card).perform { try $0.refreshStatus() }
        if let obstacle = obstacle(status) { throw obstacle }
    }

    /// Does something with a card and ends the line to it, whatever came of it: some readers are one user's at a time.
    nonisolated func lettingGo<Result>(
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

    /// Runs a flow with a card's CVC. When the card refuses it, another one is asked for, and the flow is run from its start: the
    /// card has done nothing for a wrong CVC. One that the card refused is not sent again.
    /// - Returns: what the flow returns, and the CVC that the card took.
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
