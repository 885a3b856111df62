/// What a backup is opened for. Its key is printed on the card that made it.
public enum BackupPurpose: Sendable, Equatable {
    /// To see that it opens and is whole, and to compare it with its card.
    case check
    /// To show its master private key, which is confirmed twice.
    case showKey
    /// To sign with it, when the card is lost.
    case sign
}
