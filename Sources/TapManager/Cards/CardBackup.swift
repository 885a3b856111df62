/// A backup as the card made it.
public struct CardBackup: Sendable, Equatable {
    /// AES-128-CTR ciphertext; the key is printed on the card.
    public let ciphertext: [UInt8]
    /// How many backups the card has counted, at most 127.
    package let count: Int
}
