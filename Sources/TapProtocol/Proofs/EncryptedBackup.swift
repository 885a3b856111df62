/// A TAPSIGNER backup as the card gave it: AES-128-CTR ciphertext, whose key is printed on the card.
///
/// Only its length is verified. `Backup` decrypts it, which shows whether it is a backup.
///
/// Spec: protocol, "Backup file".
public struct EncryptedBackup: Sendable, Hashable {
    /// Accepted lengths, in bytes: a card's backup is saved as it came, whatever its length.
    public static let lengths = 1...65_535
    /// Usual lengths, in bytes: an extended private key in Base58Check, a path of up to eight steps, and room for the
    /// further lines that the format allows. A file of any other length is probably something else.
    public static let usualLengths = 113...1_024

    /// The ciphertext, of one of `lengths`; what a backup file contains.
    public let bytes: [UInt8]

    /// Takes the ciphertext from a card, a file or the store.
    /// - Throws: `TapError.badBackup(.length)` unless it has one of `lengths`.
    public init(_ bytes: [UInt8]) throws(TapError) {
        guard Self.lengths.contains(bytes.count) else { throw .badBackup(.length(bytes.count)) }
        self.bytes = bytes
    }
}
