import Bitcoin
import TapProtocol

/// What a card does at other paths than its own: it is moved there, and brought back.
extension CardManager {
    /// A card's extended keys at hardened paths, and the fingerprint of its master key, each proven by the card; the fingerprint
    /// is remembered. Where the card could not be brought back, that is told (`Notice.leftAway`).
    /// - Parameter paths: each up to 8 hardened steps; none: only the fingerprint is wanted.
    /// - Throws: `FlowError`, and what the interaction throws.
    package nonisolated func keys(
        at paths: [DerivationPath], of card: CardAtHand
    ) async throws -> SignerKeys {
        let keys = try await visiting(card, for: .readAccount) { (flow) async throws(FlowError) in
            try await flow.keys(at: paths)
        }
        // What is not remembered is read again.
        try? remember(card.status, fingerprint: keys.masterFingerprint)
        return keys
    }

    /// Signs a message with a card's key at any path, as BIP-137 has it. Where the card could not be brought back, that is told
    /// (`Notice.leftAway`).
    /// - Parameters:
    ///   - path: up to 8 hardened steps, then up to 2 unhardened ones.
    ///   - kind: of the address whose signature it is.
    ///   - network: of that address.
    /// - Throws: `FlowError`, and what the interaction throws.
    package nonisolated func sign(
        _ message: [UInt8], at path: DerivationPath, of card: CardAtHand, as kind: ScriptKind, network: Network
    ) async throws -> MessageSignature {
        try await visiting(card, for: .signMessage) { (flow) async throws(FlowError) in
            try await flow.sign(message, at: path, as: kind, network: network)
        }
    }

    private nonisolated func visiting<Result>(
        _ card: CardAtHand, for purpose: CVCPurpose, _ body: (PathVisitFlow) async throws(FlowError) -> Result
    ) async throws -> Result {
        // However it ended: also what an earlier run left behind is still so.
        defer { tellStranded(card) }
        return try await perform(purpose, on: card) { (driver, cvc) async throws(FlowError) in
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
