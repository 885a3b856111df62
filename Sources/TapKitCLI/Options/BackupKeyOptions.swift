import ArgumentParser
import TapProtocol
import Terminal

/// Where the backup key comes from. It is printed on the card that made the backup.
struct BackupKeyOptions: ParsableArguments {
    static let option = "--key-file"

    @Option(
        name: .customLong("key-file"),
        help: ArgumentHelp(
            "Read the backup key (32 hexadecimal digits, printed on the card) from the first line of this file; - for "
                + "standard input. Otherwise you are asked.",
            valueName: "path"), completion: .file())
    var path: String?

    /// The key in the named file; `nil`: the user is asked if it is needed, as for standard input at a terminal.
    /// - Throws: `Failure`: `.noInputFile`, `.inputUnreadable`, `.badBackupKey`, `.interrupted`; `.usage` for a
    ///   terminal.
    func given() throws(Failure) -> Backup.Key? {
        guard let path, !SecretInput.isTyped(path) else { return nil }
        return try SecretInput.backupKey(in: SecretFile(path: path, subject: .backupKey, option: Self.option))
    }

    /// The contents of a backup file; `-` for standard input.
    /// - Throws: `Failure`: `.noInputFile`, `.inputUnreadable`, `.inputTooLarge`; `TapError.badBackup` for nothing.
    static func ciphertext(in file: String) throws -> EncryptedBackup {
        try EncryptedBackup(InputFile.read(file, limit: EncryptedBackup.lengths.upperBound))
    }

    /// Whether the key comes from standard input, so that nothing else can.
    var readsStandardInput: Bool { path.map(InputFile.isStandardInput) ?? false }
}
