import Bitcoin
import ExplainedErrors
import TapProtocol

/// Asks for the key of one backup, and again if what was typed is not a key, or does not decrypt the backup.
struct BackupKeyPrompt {
    /// How often the user was asked so far.
    private var prompts = 0

    /// Asks until a key was typed, at most `CVCPrompt.limit` times in all. Empty input cancels.
    /// - Parameter refusal: why the key typed before does not decrypt the backup; `nil` the first time.
    /// - Throws: what `SecretQuestion.ask` throws; `Failure.badBackupKey`, `.wrongBackupKey`.
    mutating func ask(after refusal: TapError?) throws(Failure) -> Backup.Key {
        var problem = refusal
        while true {
            if let problem, prompts >= CVCPrompt.limit { throw Failure(problem) }
            prompts += 1
            let typed = try SecretQuestion(
                subject: .backupKey, line: "Backup key (32 digits and letters printed on the card):",
                description: "The backup key: 32 digits and letters, printed on the card that made the backup.",
                prompt: "Backup key:", error: problem?.message
            ).ask()
            var line = typed.withBytes { Array($0) }
            defer { line.wipe() }
            do throws(TapError) { return try Backup.Key(typed: line) } catch {
                guard typed.count > 0 else { throw Failure(error) }
                problem = error
            }
        }
    }
}
