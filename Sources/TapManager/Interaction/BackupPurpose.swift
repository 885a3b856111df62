/// What a backup is decrypted for. The backup key is printed on the card that made it.
public enum BackupPurpose: Sendable, Equatable {
    /// To check that it can be decrypted and is complete, and to compare it with its card.
    case check
    /// To show its master private key, which is confirmed twice.
    case showKey
    /// To sign with it when the card is lost.
    case sign
}
