import Bitcoin
import TapManager
import Terminal

/// Texts about a decrypted backup.
enum BackupText {
    /// Its contents without the key: one fact per line, indented.
    static func lines(_ opened: OpenedBackup) -> [String] {
        [
            "  Fingerprint: \(opened.account.masterFingerprint)", "  Network: \(opened.network)",
            "  Path: \(opened.account.path)",
        ]
    }

    /// Uses the backup in a file; if that is not a backup, or a damaged one, the failure names the file.
    static func naming<Result>(_ file: String, _ use: () async throws -> Result) async throws -> Result {
        do { return try await use() } catch {
            let failure = Failure(unexpected: error)
            let name = InputFile.isStandardInput(file) ? "Standard input" : file
            throw failure.code == .badBackup ? failure.prefixed("\(name): ") : error
        }
    }

    /// The warning for anyone who has seen the master key.
    static let warning =
        "Anyone who sees this key can take all the card's money, now and forever. Move the money to a new key."
}

extension BackupPurpose {
    /// What is left undone if the user enters no backup key, as a sentence.
    var untouched: String {
        switch self {
        case .check: "Nothing was checked."
        case .showKey: QuestionText.nothingShown
        case .sign: QuestionText.nothingSigned
        }
    }
}
