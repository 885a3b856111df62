import Bitcoin
import TapManager

/// What is said of an opened backup.
enum BackupText {
    /// What it holds, without its key: one fact a line, indented.
    static func lines(_ opened: OpenedBackup) -> [String] {
        [
            "  Fingerprint: \(opened.account.masterFingerprint)", "  Network: \(opened.network)",
            "  Path: \(opened.account.path)",
        ]
    }

    /// What everybody must know who has seen the master key.
    static let warning =
        "Whoever sees this key can take all the money of the card, now and for ever: move it to a new key."
}
