import Bitcoin
import TapProtocol

/// What a card does at other paths than its own: it is moved there, and brought back.
extension CardManager {
    /// A card's extended keys at hardened paths, and the fingerprint of its master key, each proven by the card; the fingerprint
    /// is remembered. Where the card could not be brought back, that is told (`Notice.leftAway`).
    /// - Parameters:
    ///   - paths: each up to 8 hardened steps; none: only the fingerprint is wanted.
    ///   - fingerprint: the one that the card was chosen by; `nil`: any.
    ///   - purpose: what the CVC is said to be for.
    /// - Throws: `FlowError`; `CardSearchError.otherFingerprint`; what the interaction throws.
    package nonisolated func keys(
        at paths: [DerivationPath], of card: CardAtHand, expecting fingerprint: Fingerprint? = nil,
        for purpose: CVCPurpose = .readAccount
    ) async throws -> SignerKeys {
        try await visiting(card, for: purpose) {
            try await keys(at: paths, of: card, expecting: fingerprint, by: $0)
        }
    }

    /// Signs a message with a card's key at any path, as BIP-137 has it. It is confirmed before the CVC is asked for
    /// (`Question.signMessage`). Where the card could not be brought back, that is told (`Notice.leftAway`).
    /// - Parameters:
    ///   - path: up to 8 hardened steps, then up to 2 unhardened ones.
    ///   - kind: of the address whose signature it is.
    ///   - network: of that address.
    ///   - fingerprint: the one that the card was chosen by, which it proves before it signs; `nil`: any.
    /// - Throws: `FlowError`; `CardSearchError.otherFingerprint`; what the interaction throws.
    package nonisolated func sign(
        _ message: [UInt8], at path: DerivationPath, of card: CardAtHand, as kind: ScriptKind, network: Network,
        expecting fingerprint: Fingerprint? = nil
    ) async throws -> MessageSignature {
        try CVCPurpose.signMessage.requireProduct(of: card)
        guard let place = CardPath(path) else { throw FlowError.badPath(path) }
        try await interaction.confirm(
            .signMessage(question(message, place.subpath, below: place.account, as: kind, network: network, on: card)))
        return try await visiting(card, for: .signMessage) { flow in
            if fingerprint != nil { _ = try await keys(at: [], of: card, expecting: fingerprint, by: flow) }
            return try await flow.sign(message, at: path, as: kind, network: network)
        }
    }

    /// Confirms that a card has a fingerprint, in the middle of a task for which its CVC is known. The fingerprint that it proves is
    /// remembered, also where it is another one.
    /// - Throws: `FlowError`, `CardSearchError.otherFingerprint`.
    nonisolated func requireFingerprint(_ fingerprint: Fingerprint, of card: CardAtHand, cvc: CVC) async throws {
        defer { tellStranded(card) }
        let flow = PathVisitFlow(driver: driver(for: card), cvc: cvc)
        _ = try await keys(at: [], of: card, expecting: fingerprint, by: flow)
    }

    /// Proven keys of a card. What is remembered of a card is a hint; the card itself has the last word, and is known by it from
    /// then on.
    nonisolated func keys(
        at paths: [DerivationPath], of card: CardAtHand, expecting expected: Fingerprint?, by flow: PathVisitFlow
    ) async throws -> SignerKeys {
        let keys = try await flow.keys(at: paths)
        keepInMind(card, keys.masterFingerprint)
        if let expected, expected != keys.masterFingerprint {
            throw CardSearchError.otherFingerprint(card, expected: expected, found: keys.masterFingerprint)
        }
        return keys
    }

    nonisolated func visiting<Result>(
        _ card: CardAtHand, for purpose: CVCPurpose, _ body: (PathVisitFlow) async throws -> Result
    ) async throws -> Result {
        // However it ended: also what an earlier run left behind is still so.
        defer { tellStranded(card) }
        return try await perform(purpose, on: card) { driver, cvc in
            try await body(PathVisitFlow(driver: driver, cvc: cvc))
        }.result
    }

    private nonisolated func tellStranded(_ card: CardAtHand) {
        guard let state = try? state(of: card.ident) else { return }
        for case .derive(let visit) in state.unfinished.map(\.state) {
            interaction.notice(.leftAway(card, at: visit.from, own: visit.to))
        }
    }
}
