import Bitcoin
import TapProtocol

/// A card's encrypted backup. It is ciphertext; its key is printed on the card.
package struct StoredBackup: Sendable, Hashable {
    /// The card's ident.
    package let card: CardIdent
    /// AES-128-CTR ciphertext, 1–65 535 bytes.
    package let ciphertext: [UInt8]
    /// The card's count of backups at that time, at most 127.
    package let count: Int
    /// When it was made.
    package let created: UnixTime

    /// - Parameters:
    ///   - ciphertext: as the card gave it, encrypted with the key on its back.
    ///   - count: the card's own count of backups, including this one.
    package init(card: CardIdent, ciphertext: [UInt8], count: Int, created: UnixTime) {
        self.card = card
        self.ciphertext = ciphertext
        self.count = count
        self.created = created
    }
}
