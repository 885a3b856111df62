import Bitcoin
import TapProtocol

/// Which of several cards can help with a PSBT, told from what the store remembers of them. Pure.
struct CosignerChoice: Sendable, Hashable {
    /// A card that lies on a reader.
    struct Candidate: Sendable, Hashable {
        /// The card that holds the key, as it was seen before.
        let ident: CardIdent
        /// Its master key's fingerprint, if the store knows it.
        let fingerprint: Fingerprint?

        /// A card and what is known of it.
        init(ident: CardIdent, fingerprint: Fingerprint?) {
            self.ident = ident
            self.fingerprint = fingerprint
        }
    }

    /// Those that are asked, in order: first the ones that the PSBT names, then, if those are not enough, the ones that
    /// nobody knows. Of a PSBT that needs no signature, one card that it names. Empty when no card can help.
    let chosen: [CardIdent]
    /// Whether there are more unknown cards than signers left over, and none that is known to help: the person must say
    /// which. A card that is asked for nothing might cost a try of its CVC.
    let isAmbiguous: Bool

    /// Chooses.
    /// - Parameters:
    ///   - tally: of the PSBT.
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
        isAmbiguous = areTooMany && named.isEmpty
        chosen = (named + (areTooMany ? [] : unknown)).map(\.ident)
    }
}
