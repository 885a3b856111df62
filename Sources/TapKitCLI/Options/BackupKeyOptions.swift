import ArgumentParser
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

    /// The key from the file that was named.
    /// - Returns: `nil` when no file was named, so that somebody must be asked.
    func fromFile() throws(Failure) -> Backup.Key? {
        guard let path else { return nil }
        return try SecretInput.backupKey(fromFile: path)
    }

    /// Asks for the key.
    func ask() throws(Failure) -> Backup.Key { try SecretInput.backupKey() }

    /// Whether the key is read from standard input, which then cannot carry anything else.
    var readsStandardInput: Bool { path == "-" }
}
