import ExplainedErrors

extension ErrorCode {
    /// Whether it says that a backup is no good, or not the card's; all others leave that open.
    package var condemnsBackup: Bool { [.badBackup, .wrongBackupKey, .otherCardsBackup].contains(self) }
}
