import TapProtocol

/// Fetches the card's encrypted backup.
package struct BackupFlow: Sendable {
    private let driver: CardDriver
    private let cvc: CVC

    /// A flow for one card and its CVC.
    package init(driver: CardDriver, cvc: CVC) {
        self.driver = driver
        self.cvc = cvc
    }

    /// Fetches a backup, stores it, and saves it. Repeated after an interruption, it gives the same data, and the
    /// card's count goes up by one more.
    ///
    /// Wire: `check`, `certs`, `backup`, `status`.
    /// - Parameters:
    ///   - file: where it is saved, shown to users who ask what is unfinished.
    ///   - save: saves it permanently.
    /// - Throws: `FlowError.wrongProduct` for cards without a backup, `.backupNotSaved`, `.store`.
    package func backup(
        to file: String, save: @Sendable (CardBackup) throws(WritingError) -> Void
    ) async throws(FlowError) -> CardBackup {
        let (cvc, driver) = (cvc, driver)
        let backup = try await driver.journal.strikingOutRefused(.backup) { () throws(FlowError) in
            try await driver.performAuthenticated(task: .backUp, on: [.tapsigner]) { session in
                try driver.journal.record(.backup(BackupState(file: file)))
                driver.events(.backingUp)
                return try Self.fetch(on: session, cvc: cvc)
            }
        }
        try driver.journal.keep(backup)
        do throws(WritingError) { try save(backup) } catch {
            throw .backupNotSaved(BackupFile(path: error.path), errorNumber: error.errorNumber)
        }
        try driver.journal.finish(.backup)
        return backup
    }

    static func fetch(on session: TapSession, cvc: CVC) throws(TapError) -> CardBackup {
        let ciphertext = try session.backup(cvc: cvc)
        return CardBackup(ciphertext: ciphertext, count: session.status.backupCount ?? 0)
    }
}

extension FlowJournal {
    /// Stores a backup.
    func keep(_ backup: CardBackup) throws(FlowError) {
        let stored = StoredBackup(
            card: card, ciphertext: backup.ciphertext, count: backup.count, created: clock())
        try inStore { store throws(StoreError) in try store.save(stored) }
    }
}
