import Bitcoin
import TapProtocol

/// A card's encrypted backup. It is ciphertext; its key is printed on the card.
package struct StoredBackup: Sendable, Hashable {
    /// The card's ident.
    package let card: CardIdent
    /// As the card gave it, encrypted with the key on its back.
    package let ciphertext: EncryptedBackup
    /// The card's count of backups at that time, at most 127.
    package let count: Int
    /// When it was made.
    package let created: UnixTime

    /// - Parameter count: the card's own count of backups, including this one.
    package init(card: CardIdent, ciphertext: EncryptedBackup, count: Int, created: UnixTime) {
        self.card = card
        self.ciphertext = ciphertext
        self.count = count
        self.created = created
    }
}
