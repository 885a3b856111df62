import Bitcoin
import TapProtocol

/// What a card does at other paths than its own: it is moved there, and back.
extension CardManager {
    /// A card's extended keys at hardened paths, and the fingerprint of its master key, each proven by the card; the
    /// fingerprint is remembered. If the card could not be moved back, gives a notice (`Notice.leftAway`).
    /// - Parameters:
    ///   - paths: each up to 8 hardened steps; empty: only the fingerprint is wanted.
    ///   - fingerprint: the one that the card was chosen by; `nil`: any.
    ///   - purpose: the purpose in the request for the CVC.
    /// - Throws: `FlowError`; `CardSearchError.otherFingerprint`; what the interaction throws.
    package nonisolated func keys(
        at paths: [DerivationPath], of card: CardAtHand, expecting fingerprint: Fingerprint? = nil,
        for purpose: CVCPurpose = .readAccount
    ) async throws -> SignerKeys {
        try await visiting(card, for: purpose) {
            try await keys(at: paths, of: card, expecting: fingerprint, by: $0)
        }
    }

    /// A card's accounts at hardened paths, in that order, each key proven by the card. The CVC is asked for once; the card
    /// is moved to each path, and back to its own. If it could not be moved back, gives a notice (`Notice.leftAway`).
    /// - Parameter paths: each up to 8 hardened steps.
    /// - Throws: `FlowError`, such as `.badPath`, before a CVC is asked for; what the interaction throws.
    public nonisolated func accounts(at paths: [DerivationPath], of card: CardAtHand) async throws -> [Account] {
        for path in paths where CardPath(path)?.subpath.steps.isEmpty != true { throw FlowError.badPath(path) }
        let keys = try await keys(at: paths, of: card)
        return paths.compactMap { path in
            keys.accounts[path].map { Account(masterFingerprint: keys.masterFingerprint, path: path, key: $0) }
        }
    }

    /// Signs a message with a card's key at any path, as in BIP-137. It is confirmed before the CVC is asked for
    /// (`Question.signMessage`). If the card could not be moved back, gives a notice (`Notice.leftAway`).
    /// - Parameters:
    ///   - path: up to 8 hardened steps, then up to 2 unhardened ones.
    ///   - kind: the kind of the signing address.
    ///   - network: the network of that address.
    ///   - fingerprint: the one that the card was chosen by, which it proves before it signs; `nil`: any.
    /// - Throws: `FlowError`; `CardSearchError.otherFingerprint`; what the interaction throws.
    nonisolated func sign(
        _ message: [UInt8], at path: DerivationPath, of card: CardAtHand, as kind: ScriptKind, network: Network,
        expecting fingerprint: Fingerprint? = nil
    ) async throws -> MessageSignature {
        guard let place = CardPath(path) else { throw FlowError.badPath(path) }
        let question = question(message, place.subpath, below: place.account, as: kind, network: network, on: card)
        try question.purpose.requireProduct(of: card)
        tellLockout(of: card)
        try await interaction.confirm(.signMessage(question))
        return try await visiting(card, for: question.purpose, isLockoutTold: true) { flow in
            if fingerprint != nil { _ = try await keys(at: [], of: card, expecting: fingerprint, by: flow) }
            return try await flow.sign(message, at: path, as: kind, network: network)
        }
    }

    /// The same with the card that is meant. A card whose fingerprint is unknown proves it with the CVC for signing,
    /// after the message is shown and confirmed.
    /// - Throws: the same; `CardSearchError`: `.noCard` if it is none of the candidates, `.unknownFingerprints`.
    package nonisolated func sign(
        _ message: [UInt8], at path: DerivationPath, by candidates: CardCandidates, as kind: ScriptKind,
        network: Network
    ) async throws -> MessageSignature {
        try await withCard(of: candidates) { card, fingerprint in
            try await sign(message, at: path, of: card, as: kind, network: network, expecting: fingerprint)
        }
    }

    /// Confirms that a card has a fingerprint, in the middle of a task for which its CVC is known. The fingerprint that
    /// it proves is remembered, even if it is a different one.
    /// - Throws: `FlowError`, `CardSearchError.otherFingerprint`.
    nonisolated func requireFingerprint(_ fingerprint: Fingerprint, of card: CardAtHand, cvc: CVC) async throws {
        defer { tellStranded(card) }
        let flow = PathVisitFlow(driver: driver(for: card), cvc: cvc)
        _ = try await keys(at: [], of: card, expecting: fingerprint, by: flow)
    }

    /// A card's proven keys. What is remembered about a card is only a hint; what the card proves replaces it.
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
        _ card: CardAtHand, for purpose: CVCPurpose, isLockoutTold: Bool = false,
        _ body: (PathVisitFlow) async throws -> Result
    ) async throws -> Result {
        // Whatever the end: what an earlier run left behind may still be unfinished.
        defer { tellStranded(card) }
        return try await perform(purpose, on: card, isLockoutTold: isLockoutTold) { driver, cvc in
            try await body(PathVisitFlow(driver: driver, cvc: cvc))
        }.result
    }

    private nonisolated func tellStranded(_ card: CardAtHand) {
        guard let state = try? state(of: card.ident) else { return }
        let journal = driver(for: card).journal
        // Nobody is sent to a path that somebody else may have written into the store.
        for case .derive(let visit) in state.unfinished.map(\.state)
        where (try? journal.requireKnown(visit.to)) != nil {
            interaction.notice(.leftAway(card, at: visit.from, own: visit.to))
        }
    }
}
