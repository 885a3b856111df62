import Bitcoin
import ExplainedErrors

/// Why an opened backup is not used.
package enum BackupError: Error, Sendable, Equatable {
    /// It is for bitcoin, and a test network was asked for, or the reverse.
    case wrongNetwork(KeyNetwork, asked: Network)
}

extension BackupError: ExplainedError {
    /// `wrong_network`.
    package var code: ErrorCode { .wrongNetwork }

    /// What the backup is for.
    package var message: String {
        switch self {
        case .wrongNetwork(let own, let asked):
            "The backup is for \(own == .main ? "bitcoin" : "the test networks"), not for \(asked)."
        }
    }

    /// The backup.
    package var subject: ErrorSubject? { .backup }
}

extension ErrorCode {
    /// Whether it says that a backup is no good, or not the card's; all others leave that open.
    package var condemnsBackup: Bool { [.badBackup, .wrongBackupKey, .otherCardsBackup].contains(self) }
}
