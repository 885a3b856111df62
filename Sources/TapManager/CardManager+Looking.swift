import Bitcoin
import TapProtocol

/// What cards say and prove of themselves, without being changed.
extension CardManager {
    /// What a card proves of itself without its CVC: who made it, that it has its own key, and a SATSCARD's slot.
    /// - Returns: also for a card that no accepted factory made; `verdict` says so.
    /// - Throws: `FlowError`: `.card` with `.badProof` when the certificates or the proofs of possession prove nothing at all.
    public nonisolated func prove(_ card: CardAtHand) async throws -> CardProof {
        try await lettingGo(of: card) { try await driver(for: card).prove() }
    }

    /// Every proof that a card can give, one by one; those that failed, too.
    /// - Parameter provingKeys: whether the keys for money are proven as well, for which the CVC is asked for.
    /// - Throws: `FlowError` for anything but a failed proof; what the interaction throws.
    public nonisolated func verify(_ card: CardAtHand, provingKeys: Bool = false) async throws -> CardVerification {
        try await lettingGo(of: card) {
            guard provingKeys else { return try await VerifyFlow(driver: driver(for: card), cvc: nil).run() }
            return try await perform(.proveKeys, on: card) { driver, cvc in
                try await VerifyFlow(driver: driver, cvc: cvc).run()
            }.result
        }
    }

    /// Waits off the security delay that wrong CVCs left behind, if there is one, so that the next CVC is heard.
    /// - Throws: `FlowError`: `.card` with `.rateLimited` when the delay does not get shorter.
    public nonisolated func waitOffSecurityDelay(of card: CardAtHand) async throws {
        try await lettingGo(of: card) { try await driver(for: card).waitOffSecurityDelay() }
    }

    /// The link that a card shows to a telephone, its signature verified. No certificate is asked for: a counterfeit signs its
    /// own link, too.
    /// - Parameter source: where to take it from; `nil`: the command, and the tag only where there is no command.
    /// - Throws: `FlowError.card`: what `TapSession.tapLink` throws.
    public nonisolated func tapLink(
        of card: CardAtHand, from source: CardLink.Source? = nil
    ) async throws -> CardLink {
        try await lettingGo(of: card) { try await driver(for: card).performOnce { try $0.tapLink(from: source) } }
    }
}
