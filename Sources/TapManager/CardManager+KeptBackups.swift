import TapProtocol

/// Backups of users who choose no file for them.
extension CardManager {
    /// A file for a card's backups that lasts as long as the store: IDENT.aes in the folder `backups` next to it, which is
    /// made with mode 0700 if it does not exist. If that file has another backup, such as one made at another path, the
    /// new one gets a number.
    /// - Returns: `nil` if the store is only in memory.
    /// - Throws: `.unsafe` if others can write to the folder; `.notWritable`, `.diskFull`.
    package nonisolated func keptBackupFile(of card: CardIdent) throws(StoreError) -> BackupFile? {
        guard let kept = observedStore.kept as? SQLiteStore else { return nil }
        let folder = try StoreFiles(making: kept.files.folder + "/backups").folder
        return BackupFile(numbering: "\(folder)/\(BackupFile(ident: card).path)")
    }
}
