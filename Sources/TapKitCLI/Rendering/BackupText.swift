import Bitcoin
import TapManager

/// What is said of an opened backup.
enum BackupText {
    /// What it holds, without its key: one fact a line, indented.
    static func lines(_ account: Account, network: Network) -> [String] {
        ["  Fingerprint: \(account.masterFingerprint)", "  Network: \(network)", "  Path: \(account.path)"]
    }

    /// What has to be said when the path has no end.
    static let cutOff = "The file was cut off: it ends in the middle of the path. The master key is whole."

    /// What everybody must know who has seen the master key.
    static let warning =
        "Whoever sees this key can take all the money of the card, now and for ever: move it to a new key."
}
