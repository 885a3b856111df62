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

    /// The key in the file that was named; `nil`: somebody is asked, when it is needed.
    /// - Throws: `Failure`: `.noInputFile`, `.inputUnreadable`, `.badBackupKey`.
    func given() throws(Failure) -> Backup.Key? {
        try path.map { path throws(Failure) in try SecretInput.backupKey(fromFile: path) }
    }

    /// What is encrypted in a backup's file; `-` for standard input.
    /// - Throws: `Failure`: `.noInputFile`, `.inputUnreadable`, `.inputTooLarge`.
    static func ciphertext(in file: String) throws(Failure) -> [UInt8] {
        try InputFile.read(file, limit: Backup.lengths.upperBound)
    }

    /// Whether the key is read from standard input, which then cannot carry anything else.
    var readsStandardInput: Bool { path == "-" }
}
