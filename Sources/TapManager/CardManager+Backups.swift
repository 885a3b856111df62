import Bitcoin
import TapProtocol

/// The encrypted backups of TAPSIGNERs.
extension CardManager {
    /// Fetches a card's encrypted backup, keeps it in the store and saves it in a file. That the file can be written is known
    /// before anybody is asked for a CVC; a file with other content stays as it is.
    /// - Throws: `ErrorCode.cannotWrite`, `ErrorCode.wouldOverwrite`; `FlowError`: `.wrongProduct` for cards without a
    ///   backup, `.backupNotSaved`, `.store`, …; what the interaction throws.
    public nonisolated func backUp(_ card: CardAtHand, to file: BackupFile) async throws -> CardBackup {
        try await lettingGo(of: card) {
            try CVCPurpose.backUp.requireProduct(of: card)
            try file.checkWritable(backupCount: card.status.backupCount)
            return try await perform(.backUp, on: card) { driver, cvc in
                try await BackupFlow(driver: driver, cvc: cvc).backup(to: file.absolutePath, save: file.save)
            }.result
        }
    }

    /// Opens a backup with the key that the interaction tells (`Interaction.backupKey(for:)`). Its private key is in this machine's
    /// memory from then on.
    ///
    /// Showing the key is confirmed twice: before the backup's key is asked for (`Question.openBackup`) and, once it is known whose
    /// key it is, before it is given out (`Question.showMasterKey`). A path that was cut off is told then (`Notice.backupCutOff`).
    /// - Parameters:
    ///   - ciphertext: as the card gave it, of one of `Backup.lengths`.
    ///   - purpose: what it is opened for; only one that is to be checked must be whole to its last byte.
    ///   - network: the one that it must be for; `nil`: any.
    /// - Throws: `ErrorCode.wrongBackupKey`, `ErrorCode.badBackup`, `ErrorCode.wrongNetwork`, and what the interaction throws.
    public nonisolated func openBackup(
        _ ciphertext: [UInt8], for purpose: BackupPurpose, network: Network? = nil
    ) async throws -> OpenedBackup {
        if purpose == .showKey { try await interaction.confirm(.openBackup) }
        let opened = try OpenedBackup(
            decrypting: ciphertext, key: try await interaction.backupKey(for: purpose), network: network,
            wholly: purpose == .check)
        guard purpose == .showKey else { return opened }
        try await interaction.confirm(.showMasterKey(opened.account.masterFingerprint))
        if !opened.backup.isPathWhole { interaction.notice(.backupCutOff) }
        return opened
    }

    /// Compares an opened backup with the card that is meant, which proves its keys.
    /// - Parameters:
    ///   - isRequired: whether a card must be there. Else it is no failure that there is none, and nobody waits for one; but a card
    ///     that is there must give its proof, for half a check would be taken for a whole one.
    ///   - network: the one that the card must be for; `nil`: any.
    /// - Returns: the card, and its path, which may be another than the backup's; `nil` where none is there, and none is required.
    /// - Throws: `FlowError`: `.otherCardsBackup` when the card has another master key; `.card` with `.badProof(.backup)`
    ///   when it has that key and shows another chain code, or another key below it; …; `CardSearchError`, and what the
    ///   interaction throws.
    public nonisolated func compare(
        _ opened: OpenedBackup, with choice: CardChoice = .any, isRequired: Bool = true, network: Network? = nil
    ) async throws -> (card: CardAtHand, path: DerivationPath)? {
        let card: CardAtHand
        if isRequired {
            card = try await self.card(choice, for: network)
        } else {
            let found: CardAtHand
            do throws(CardSearchError) {
                found = try await search(choice).one()
                try await requireUse(of: found, network: network)
            } catch {
                guard error.isAbsence else { throw error }
                return nil
            }
            card =
                if case .fingerprint(let own) = choice { try await self.card(with: own, among: [found]) } else { found }
        }
        let path = try await lettingGo(of: card) {
            try await perform(.compareBackup, on: card) { driver, cvc in
                try await BackupCheckFlow(driver: driver, cvc: cvc).check(opened.backup)
            }.result
        }
        return (card, path)
    }

    /// Whether a card lies there that may be meant, or something that keeps it from being found; nobody waits.
    package nonisolated func isSomethingThere(_ choice: CardChoice = .any) async -> Bool {
        do throws(CardSearchError) {
            for card in try await search(choice).all() { await card.card.disconnect() }
            return true
        } catch { return !error.isAbsence }
    }
}

extension CardSearchError {
    /// Whether there is no card, as far as anybody can tell.
    fileprivate var isAbsence: Bool { [.noCard, .noReader, .noService].contains(code) }
}
