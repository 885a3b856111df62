import ArgumentParser
import TapManager
import TapProtocol

/// Where a backup's key comes from, which is printed on the card that made the backup.
struct BackupKeyOptions: ParsableArguments {
    static let option = "--key-file"

    @Option(
        name: .customLong("key-file"),
        help: ArgumentHelp(
            "The backup's key, 32 hexadecimal digits printed on the card, is the first line of this file; - for standard "
                + "input. Otherwise you are asked.",
            valueName: "path"), completion: .file())
    var path: String?

    /// A backup, and the way to its key. Reads the files, also the key's if one was named; nobody is asked yet.
    /// - Parameter file: the backup's; `-` for standard input.
    /// - Throws: `Failure`: `.noInputFile`, `.inputUnreadable`, `.inputTooLarge`, `.badBackupKey`.
    func backup(in file: String) throws(Failure) -> EncryptedBackup {
        let ciphertext = try InputFile.read(file, limit: Backup.lengths.upperBound)
        let given = try path.map { path throws(Failure) in try SecretInput.backupKey(fromFile: path) }
        return EncryptedBackup(ciphertext) { try given ?? SecretInput.backupKey() }
    }

    /// Whether the key is read from standard input, which then cannot carry anything else.
    var readsStandardInput: Bool { path == "-" }
}
