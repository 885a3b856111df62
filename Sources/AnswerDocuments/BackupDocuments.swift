import Bitcoin
import ByteCodec
import TapManager

/// A backup that was saved in a file.
package struct SavedBackupDocument: Encodable {
    let file: String
    /// How many backups the card has made, as it reports.
    let backups: Int

    /// A backup, and where it was saved.
    package init(_ backup: CardBackup, in file: BackupFile) {
        self.file = file.path
        backups = backup.count
    }
}

/// A backup as a file for whoever cannot read this machine's.
package struct BackupContentDocument: Encodable {
    /// A name for the file, without a folder.
    let name: String
    /// The encrypted backup in Base64.
    let content: String

    /// A backup of a card.
    package init(_ backup: CardBackup, of card: CardAtHand) {
        name = BackupFile(ident: card.ident).path
        content = Base64.encode(backup.ciphertext.bytes)
    }
}

/// A backup that can be decrypted, and whether it is the card's.
package struct BackupCheckDocument: Encodable {
    struct Card: Encodable {
        let checked: Bool
        let ident: String?
        let matches: Bool?
        /// The card's current path, which may differ from the backup's.
        let path: String?
        let simulated: Bool?
    }

    let valid = true
    let fingerprint: String
    let path: String
    let network: String
    let xpub: String
    let card: Card

    /// A decrypted backup.
    /// - Parameter match: the card that proved that the backup is its own, with its path; `nil`: there was none.
    package init(_ opened: OpenedBackup, _ match: (card: CardAtHand, path: DerivationPath)?) {
        let account = opened.account
        fingerprint = account.masterFingerprint.description
        path = account.path.description
        network = opened.network.rawValue
        xpub = account.key.text
        card = Card(
            checked: match != nil, ident: match?.card.ident.description, matches: match.map { _ in true },
            path: match?.path.description, simulated: match?.card.isSimulated == true ? true : nil)
    }
}
