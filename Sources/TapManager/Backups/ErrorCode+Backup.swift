import ExplainedErrors

extension ErrorCode {
    /// Whether it means that a backup is invalid, or not the card's; all others leave that open.
    package var condemnsBackup: Bool { [.badBackup, .wrongBackupKey, .otherCardsBackup].contains(self) }
}
