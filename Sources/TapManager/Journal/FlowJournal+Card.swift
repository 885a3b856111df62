import TapProtocol

/// What never changes of a card, and what never goes back, compared with what the store has seen of it.
extension FlowJournal {
    /// Compares a card with what the store remembers of it, and remembers a proven one.
    ///
    /// Whoever rewrites answers can name a lower version, which would take proofs away with it.
    /// - Throws: `TapError.badProof` for `.version` and `.remembered`; `FlowError.store`.
    func compare(_ proof: CardProof) throws {
        let status = proof.status
        let earlier = try inStore { store throws(StoreError) in try store.card(card) }
        if let earlier {
            guard earlier.product == status.product, earlier.isTestnet == status.isTestnet else {
                throw TapError.badProof(
                    .remembered, detail: "product or network are not those that the store has seen of this card")
            }
            if let version = earlier.version, status.appletVersion < version {
                throw TapError.badProof(
                    .version,
                    detail: "it calls itself version \(status.appletVersion), and was version \(version) before")
            }
        }
        let isNew = earlier == nil || status.appletVersion.isReadable && earlier?.version != status.appletVersion
        guard proof.verdict.isAccepted, isNew else { return }
        try inStore { store throws(StoreError) in try store.save(CardRecord(status, lastSeen: clock())) }
    }
}
