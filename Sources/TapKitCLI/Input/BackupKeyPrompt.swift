import Bitcoin
import ExplainedErrors
import TapProtocol

/// Asks for the key of one backup, and again if what was typed is not a key, or does not decrypt the backup.
struct BackupKeyPrompt {
    /// The program that asks for it, in a window; `nil`: the user's own command.
    private let asker: String?
    /// Becomes readable when nobody wants the answer any more; `nil`: on Ctrl-C only.
    private let interruption: Int32?
    /// How often the user was asked so far.
    private var prompts = 0

    /// - Parameters:
    ///   - asker: the program that wants it, which a window names; `nil`: the user's own command, on the terminal.
    ///   - interruption: becomes readable when nobody wants the answer any more; `nil`: on Ctrl-C only.
    init(for asker: String? = nil, endedBy interruption: Int32? = nil) {
        (self.asker, self.interruption) = (asker, interruption)
    }

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
                description: "The backup key: 32 digits and letters, printed on the card that made the backup."
                    + SecretQuestion.line(naming: asker),
                prompt: "Backup key:", error: problem?.message, isForWindow: asker != nil, interruption: interruption
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
