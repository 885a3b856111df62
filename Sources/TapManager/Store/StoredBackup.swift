import Bitcoin
import TapProtocol

/// A card's encrypted backup. It is ciphertext; the key stands on the card.
package struct StoredBackup: Sendable, Hashable {
    /// The card's ident.
    package let card: CardIdent
    /// AES-128-CTR ciphertext, 1–65 535 bytes.
    package let ciphertext: [UInt8]
    /// How many backups the card had counted then, at most 127.
    package let count: Int
    /// When it was made.
    package let created: UnixTime

    /// - Parameters:
    ///   - ciphertext: as the card gave it, under the key on its back.
    ///   - count: the card's own count of backups, this one included.
    package init(card: CardIdent, ciphertext: [UInt8], count: Int, created: UnixTime) {
        self.card = card
        self.ciphertext = ciphertext
        self.count = count
        self.created = created
    }
}
