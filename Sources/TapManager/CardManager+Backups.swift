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

    /// Has a card prove that an opened backup is its own.
    /// - Returns: the card's path, which may be another than the backup's.
    /// - Throws: `FlowError`: `.otherCardsBackup` when the card has another master key; `.card` with `.badProof(.backup)`
    ///   when it has that key and shows another chain code, or another key below it; …; what the interaction throws.
    public nonisolated func compare(_ backup: Backup, with card: CardAtHand) async throws -> DerivationPath {
        try await lettingGo(of: card) {
            try await perform(.compareBackup, on: card) { driver, cvc in
                try await BackupCheckFlow(driver: driver, cvc: cvc).check(backup)
            }.result
        }
    }
}
