import ArgumentParser
import TapProtocol
import Terminal

/// Several backup files, and where their keys come from.
struct BackupsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A card's backup file; repeatable.", valueName: "file"), completion: .file())
    var backup: [String]

    @Option(
        help: ArgumentHelp(
            "Read the key of the first, second, … --backup from the first line of this file; repeatable. Otherwise you "
                + "are asked for each.",
            valueName: "path"), completion: .file())
    var keyFile: [String] = []

    /// A backup to open.
    struct Entry {
        let file: String
        /// Where its key is; `nil`: the user is asked.
        let keyFile: String?

        /// - Throws: `Failure`: `.noInputFile`, `.inputUnreadable`, `.badBackupKey`.
        func givenKey() throws(Failure) -> Backup.Key? {
            var options = BackupKeyOptions()
            options.path = keyFile
            return try options.given()
        }
    }

    /// The backups in their order, each with its key's file.
    /// - Throws: `Failure.usage` if there are key files, but not one for each backup, or several inputs from standard
    ///   input.
    func entries() throws(Failure) -> [Entry] {
        guard keyFile.isEmpty || keyFile.count == backup.count else {
            throw Failure(.usage, "Give one --key-file for each --backup, in the same order, or none.")
        }
        try GlobalOptions.requireOneInput(
            backup.map { ("The backup", InputFile.isStandardInput($0)) }
                + keyFile.map { ("the backup's key", InputFile.isStandardInput($0)) })
        return backup.enumerated().map { index, file in
            Entry(file: file, keyFile: keyFile.isEmpty ? nil : keyFile[index])
        }
    }
}
