import Bitcoin
import TapProtocol

/// What cards report and prove about themselves, without being changed.
extension CardManager {
    /// What a card proves about itself without its CVC: who made it, that it has its own key, and a SATSCARD's slot.
    /// - Returns: the proof, even for a card that no accepted factory made; `verdict` shows that.
    /// - Throws: `FlowError`: `.card` with `.badProof` if the certificates or the proofs of possession are invalid.
    public nonisolated func prove(_ card: CardAtHand) async throws -> CardProof {
        try await lettingGo(of: card) { try await driver(for: card).prove() }
    }

    /// Every proof that a card can give, one by one, including failed ones.
    /// - Parameters:
    ///   - network: the network whose address form is used; `nil`: the card's.
    ///   - provingKeys: whether to prove the keys for money as well, for which the CVC is asked for.
    /// - Throws: `FlowError` for anything but a failed proof; `CardSearchError.wrongNetwork`; what the interaction
    ///   throws.
    public nonisolated func verify(
        _ card: CardAtHand, network: Network? = nil, provingKeys: Bool = false
    ) async throws -> CardVerification {
        try await lettingGo(of: card) {
            let shown = try card.network(asked: network)
            guard provingKeys else {
                return try await VerifyFlow(driver: driver(for: card), cvc: nil, network: shown).run()
            }
            return try await perform(.proveKeys, on: card) { driver, cvc in
                try await VerifyFlow(driver: driver, cvc: cvc, network: shown).run()
            }.result
        }
    }

    /// Waits out the lockout after wrong CVCs, if there is one, so that the card accepts a CVC.
    /// - Throws: `FlowError`: `.card` with `.rateLimited` if the lockout does not get shorter.
    package nonisolated func waitOffSecurityDelay(of card: CardAtHand) async throws {
        try await lettingGo(of: card) { try await driver(for: card).waitOffSecurityDelay() }
    }

    /// The link that a card shows to a phone, with a verified signature. No certificate is checked, so a counterfeit
    /// can sign its own link, too.
    /// - Parameter source: where to read it; `nil`: with the command, or from the tag if the command does not exist.
    /// - Throws: `FlowError.card`: what `TapSession.tapLink` throws.
    package nonisolated func tapLink(
        of card: CardAtHand, from source: CardLink.Source? = nil
    ) async throws -> CardLink {
        try await lettingGo(of: card) { try await driver(for: card).performOnce { try $0.tapLink(from: source) } }
    }
}
