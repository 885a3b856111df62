import Bitcoin
import TapProtocol

/// Which of several cards can help with a PSBT, as far as the store remembers them. Pure.
struct CosignerChoice: Sendable, Hashable {
    /// A card on a reader.
    struct Candidate: Sendable, Hashable {
        /// The ident that the card reports.
        let ident: CardIdent
        /// Its master key's fingerprint, if the store knows it.
        let fingerprint: Fingerprint?

        /// A card and what is known about it.
        init(ident: CardIdent, fingerprint: Fingerprint?) {
            self.ident = ident
            self.fingerprint = fingerprint
        }
    }

    /// The cards to ask, in order: those that the PSBT names for the spending path that is nearest to complete, or else for
    /// another one that is open; then, if they are not enough, the unknown ones. For a PSBT that needs no signature, one card
    /// that it names. Empty if no card can help.
    let chosen: [CardIdent]
    /// Whether there are more unknown cards than missing signers, and none that is known to help, so that the user must
    /// choose. Asking a card in vain might cost a CVC try.
    let isAmbiguous: Bool

    /// Chooses the cards.
    /// - Parameters:
    ///   - tally: the PSBT's.
    ///   - candidates: in the order of the readers.
    init(_ tally: SignatureTally, among candidates: [Candidate]) {
        let wanted = Set(tally.canSign.isEmpty ? tally.named : tally.canSign)
        let named = candidates.filter { $0.fingerprint.map(wanted.contains) ?? false }
        if tally.canSign.isEmpty, let first = named.first {
            chosen = [first.ident]
            isAmbiguous = false
            return
        }
        let signers = Set(named.compactMap(\.fingerprint))
        guard named.isEmpty || !tally.isCompleted(by: signers) else {
            chosen = named.map(\.ident)
            isAmbiguous = false
            return
        }
        let unknown = candidates.filter { $0.fingerprint == nil }
        let areTooMany = unknown.count > max(1, wanted.subtracting(signers).count)
        let others = candidates.filter { $0.fingerprint.map(tally.canHelp.contains) ?? false }
        isAmbiguous = areTooMany && named.isEmpty && others.isEmpty
        chosen = ((named.isEmpty ? others : named) + (areTooMany ? [] : unknown)).map(\.ident)
    }
}
