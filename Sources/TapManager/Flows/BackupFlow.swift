import TapProtocol

/// Fetches the card's encrypted backup.
package struct BackupFlow: Sendable {
    private let gate: CardGate
    private let cvc: CVC

    /// A flow for one card and its CVC.
    package init(gate: CardGate, cvc: CVC) {
        self.gate = gate
        self.cvc = cvc
    }

    /// Fetches a backup, keeps it in the store, and saves it. Repeated after an interruption it is the same data, and the
    /// card's count goes up by one more.
    ///
    /// Wire: `check`, `certs`, `backup`, `status`.
    /// - Parameters:
    ///   - file: where it is saved, for people who ask what is unfinished.
    ///   - save: saves it for good.
    /// - Throws: `FlowError.wrongProduct` for cards without a backup, `.backupNotSaved`, `.store`.
    package func backup(
        to file: String, save: @Sendable (CardBackup) throws(WritingError) -> Void
    ) async throws(FlowError) -> CardBackup {
        let (cvc, gate) = (cvc, gate)
        let backup = try await gate.journal.strikingOutRefused(.backup) { () throws(FlowError) in
            try await gate.performAuthenticated(task: "make a backup", on: [.tapsigner]) { session in
                try gate.journal.record(.backup(BackupState(file: file)))
                gate.events(.backingUp)
                return try Self.fetch(on: session, cvc: cvc)
            }
        }
        try gate.journal.keep(backup)
        do throws(WritingError) { try save(backup) } catch {
            throw .backupNotSaved(file: error.path, errorNumber: error.errorNumber)
        }
        try gate.journal.finish(.backup)
        return backup
    }

    static func fetch(on session: TapSession, cvc: CVC) throws(TapError) -> CardBackup {
        let ciphertext = try session.backup(cvc: cvc)
        return CardBackup(ciphertext: ciphertext, count: session.status.backupCount ?? 0)
    }
}

extension FlowJournal {
    /// Keeps a backup in the store.
    func keep(_ backup: CardBackup) throws(FlowError) {
        let stored = StoredBackup(
            card: card, ciphertext: backup.ciphertext, count: backup.count, created: clock())
        try inStore { store throws(StoreError) in try store.save(stored) }
    }
}
