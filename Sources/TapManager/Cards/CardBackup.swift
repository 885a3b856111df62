import TapProtocol

/// A backup as the card made it.
public struct CardBackup: Sendable, Equatable {
    /// What the card gave; not decrypted, as the key is printed on the card.
    public let ciphertext: EncryptedBackup
    /// How many backups the card has counted, at most 127.
    package let count: Int
}
