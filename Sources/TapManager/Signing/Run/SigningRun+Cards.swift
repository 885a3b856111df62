import Bitcoin
import TapProtocol

/// Which cards sign.
extension SigningRun {
    /// The cards on the readers that can help.
    /// - Throws: `CardSearchError`: `.noneCanSign` if none of several can, …; `StoreError`.
    func firstCards() async throws -> [CardAtHand] {
        let found = try await manager.cards(choice)
        guard found.count > 1 else { return found }
        let signers = found.filter(\.isSigner)
        guard signers.count > 1 else { return signers.isEmpty ? Array(found.prefix(1)) : signers }
        var candidates: [CosignerChoice.Candidate] = []
        for card in signers {
            candidates.append(
                CosignerChoice.Candidate(ident: card.ident, fingerprint: try store.card(card.ident)?.fingerprint))
        }
        let tally = tally
        let choice = CosignerChoice(tally, among: candidates)
        guard !choice.isAmbiguous else { throw CardSearchError.ambiguous(signers) }
        guard !choice.chosen.isEmpty else { throw CardSearchError.noneCanSign(missing: tally.canSign) }
        return choice.chosen.compactMap { ident in signers.first { $0.ident == ident } }
    }

    /// Waits for a card that has not signed yet.
    func nextCard() async throws(CardSearchError) -> CardAtHand {
        let (tally, seen, store) = (tally, seen, store)
        let search = manager.search(.any)
        let request = HandRequest.layNextSigner(try missing(tally))
        return try await search.waiting(manager.patience, request, tell: manager.interaction.notice) {
            () async throws(CardSearchError) in
            for card in try await search.allReadable() where card.isSigner && !seen.contains(card.ident) {
                let fingerprint: Fingerprint?
                do throws(StoreError) { fingerprint = try store.card(card.ident)?.fingerprint } catch {
                    throw CardSearchError(error)
                }
                if fingerprint.map(tally.canSign.contains) ?? true { return card }
            }
            throw .noFurtherCard
        }
    }

    private func missing(_ tally: SignatureTally) throws(CardSearchError) -> MissingSigners {
        let known: [CardRecord]
        do throws(StoreError) { known = try store.cards() } catch { throw CardSearchError(error) }
        return MissingSigners(
            tally: tally,
            signers: tally.canSign.map { fingerprint in
                let card = known.first { $0.fingerprint == fingerprint }?.ident
                return MissingSigners.Signer(
                    fingerprint: fingerprint, card: card, label: card.map(manager.label))
            })
    }
}

extension CardAtHand {
    /// Whether it has an extended key to sign with.
    var isSigner: Bool { status.product != .satscard && status.isSetUp }
}
