import Bitcoin
import TapProtocol

/// The encrypted backups of TAPSIGNERs.
extension CardManager {
    /// Fetches a card's encrypted backup, stores it and saves it in a file. Checks that the file can be written before
    /// asking for a CVC; a file with other content is not replaced, and neither is anything that is not a file.
    /// - Throws: `ErrorCode.cannotWrite`, `ErrorCode.diskFull`, `ErrorCode.wouldOverwrite`; `FlowError`:
    ///   `.wrongProduct` for cards without a backup, `.backupNotSaved`, `.store`, …; what the interaction throws.
    public nonisolated func backUp(_ card: CardAtHand, to file: BackupFile) async throws -> CardBackup {
        try await lettingGo(of: card) {
            try CVCPurpose.backUp.requireProduct(of: card)
            try file.requireFile()
            try file.checkWritable(backupCount: card.status.backupCount)
            return try await perform(.backUp, on: card) { driver, cvc in
                try await BackupFlow(driver: driver, cvc: cvc).backup(to: file.absolutePath, save: file.save)
            }.result
        }
    }

    /// Decrypts a backup with the key from the interaction (`Interaction.backupKey(for:after:)`), which is asked again
    /// if that does not decrypt the backup. Its private key is in this machine's memory from then on.
    ///
    /// Showing the key is confirmed twice: before the backup key is asked for (`Question.openBackup`) and, once it is
    /// known whose key it is, before it is returned (`Question.showMasterKey`). A cut-off path is reported at that
    /// point (`Notice.backupCutOff`).
    /// - Parameters:
    ///   - ciphertext: as the card gave it, or a file has it.
    ///   - purpose: what it is decrypted for; only one to be checked must be complete to its last byte.
    ///   - network: the one that it must be for; `nil`: any.
    /// - Throws: `ErrorCode.wrongBackupKey`, `ErrorCode.badBackup`, `ErrorCode.wrongNetwork`, and what the interaction
    ///   throws.
    public nonisolated func openBackup(
        _ ciphertext: EncryptedBackup, for purpose: BackupPurpose, network: Network? = nil
    ) async throws -> OpenedBackup {
        if purpose == .showKey { try await interaction.confirm(.openBackup) }
        let opened = try await opened(ciphertext, for: purpose, network: network)
        guard purpose == .showKey else { return opened }
        try await interaction.confirm(.showMasterKey(opened.account.masterFingerprint))
        if !opened.backup.isPathWhole { interaction.notice(.backupCutOff) }
        return opened
    }

    /// Asks for the key until one decrypts the backup, or the interaction gives up.
    private nonisolated func opened(
        _ ciphertext: EncryptedBackup, for purpose: BackupPurpose, network: Network?
    ) async throws -> OpenedBackup {
        var refusal: TapError?
        for _ in 0..<Self.mostRequests {
            let key = try await interaction.backupKey(for: purpose, after: refusal)
            do {
                return try OpenedBackup(
                    decrypting: ciphertext, key: key, network: network, wholly: purpose == .check)
            } catch let error as TapError where error.code == .wrongBackupKey { refusal = error }
        }
        throw refusal ?? .badBackup(.wrongKey)
    }

    /// Compares a decrypted backup with the chosen card, which proves its keys. What shows without the card's CVC that
    /// the backup is another card's is found out before the CVC is asked for.
    /// - Parameters:
    ///   - isRequired: whether a card is required. Otherwise a missing card is not an error, and is not waited for; but
    ///     a card that is present must give its proof, as half a check would pass for a complete one.
    ///   - network: the one that the card must be for; `nil`: any.
    /// - Returns: the card, and its path, which may differ from the backup's; `nil` if there is none, and none is
    ///   required.
    /// - Throws: `FlowError`: `.otherCardsBackup` if the card has a different master key; `.card` with
    ///   `.badProof(.backup)` if it has that key but shows a different chain code, or a different key below it; …;
    ///   `CardSearchError`, and what the interaction throws.
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
            try CVCPurpose.compareBackup.requireProduct(of: card)
            try requirePossible(opened, of: card)
            return try await perform(.compareBackup, on: card) { driver, cvc in
                try await BackupCheckFlow(driver: driver, cvc: cvc).check(opened.backup)
            }.result
        }
        return (card, path)
    }

    /// Confirms that a backup may be a card's, by the fingerprints that cards have proven before, so that no try of a
    /// CVC is spent on another card's backup.
    /// - Throws: `FlowError`: `.otherCardsBackup`, `.store`.
    private nonisolated func requirePossible(_ opened: OpenedBackup, of card: CardAtHand) throws(FlowError) {
        let fingerprint = opened.account.masterFingerprint
        let records: [CardRecord]
        do throws(StoreError) { records = try store.cards() } catch { throw .store(error) }
        let own = records.first { $0.ident == card.ident }?.fingerprint
        let isOthers = records.contains { $0.fingerprint == fingerprint && $0.ident != card.ident }
        guard own.map({ $0 == fingerprint }) ?? !isOthers else {
            throw .otherCardsBackup(backup: fingerprint, card: own)
        }
    }

    /// Whether there is a card that may match, or an obstacle to finding it; does not wait.
    package nonisolated func isSomethingThere(_ choice: CardChoice = .any) async -> Bool {
        do throws(CardSearchError) {
            for card in try await search(choice).all() { await card.card.disconnect() }
            return true
        } catch { return !error.isAbsence }
    }
}

extension CardSearchError {
    /// Whether there is no card, as far as is known.
    fileprivate var isAbsence: Bool { [.noCard, .noReader, .noService].contains(code) }
}
