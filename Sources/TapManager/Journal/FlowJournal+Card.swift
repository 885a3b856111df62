import TapProtocol

/// What never changes or never goes back in a card, compared with what the store remembers.
extension FlowJournal {
    /// Compares a card with what the store remembers about it, and remembers a proven one.
    ///
    /// Someone who alters answers can report a lower version, which would remove proofs.
    /// - Throws: `TapError.badProof` for `.version` and `.remembered`; `FlowError.store`.
    func compare(_ proof: CardProof) throws {
        let status = proof.status
        let earlier = try inStore { store throws(StoreError) in try store.card(card) }
        if let earlier {
            guard earlier.product == status.product, earlier.isTestnet == status.isTestnet else {
                throw TapError.badProof(
                    .remembered, detail: "product or network differ from those that the store remembers for this card")
            }
            if let version = earlier.version, status.appletVersion < version {
                throw TapError.badProof(
                    .version,
                    detail: "it reports version \(status.appletVersion), but was version \(version) before")
            }
        }
        let isNew = earlier == nil || status.appletVersion.isReadable && earlier?.version != status.appletVersion
        guard proof.verdict.isAccepted, isNew else { return }
        try inStore { store throws(StoreError) in try store.save(CardRecord(status, lastSeen: clock())) }
    }
}
