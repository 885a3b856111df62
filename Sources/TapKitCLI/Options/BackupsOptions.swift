import ArgumentParser
import TapProtocol
import Terminal

/// Several backups, and where their keys come from.
struct BackupsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A card's backup file; repeatable. Without any, the stored backups of the wallet's cards are used.",
            valueName: "file"), completion: .file())
    var backup: [String] = []

    @Option(
        help: ArgumentHelp(
            "Read the key of the first, second, … backup from the first line of this file; repeatable. Otherwise you "
                + "are asked for each.",
            valueName: "path"), completion: .file())
    var keyFile: [String] = []

    /// A backup to open.
    struct Entry {
        /// Its file or, if it is stored, what it is called.
        let name: String
        /// As it is stored; `nil`: it is in the file.
        let stored: EncryptedBackup?
        /// Where its key is; `nil`: the user is asked.
        let keyFile: String?

        /// - Throws: as `BackupKeyOptions.ciphertext`.
        func ciphertext() throws -> EncryptedBackup { try stored ?? BackupKeyOptions.ciphertext(in: name) }

        /// - Throws: as `BackupKeyOptions.given`.
        func givenKey() throws(Failure) -> Backup.Key? {
            var options = BackupKeyOptions()
            options.path = keyFile
            return try options.given()
        }
    }

    /// The backups that were named, in their order, each with its key's file.
    /// - Throws: `Failure.usage` if there are key files, but not one for each backup, or several inputs from standard
    ///   input.
    func entries() throws(Failure) -> [Entry] {
        guard backup.isEmpty || keyFile.isEmpty || keyFile.count == backup.count else {
            throw Failure(.usage, "Give one --key-file for each --backup, in the same order, or none.")
        }
        try GlobalOptions.requireOneInput(
            backup.map { ("The backup", InputFile.isStandardInput($0)) }
                + keyFile.map { ("the backup's key", InputFile.isStandardInput($0)) })
        return backup.enumerated().map { index, file in
            Entry(name: file, stored: nil, keyFile: keyFile.isEmpty ? nil : keyFile[index])
        }
    }

    /// The same for stored backups, where no file was named.
    /// - Parameter stored: what each is called, in their order.
    /// - Throws: `Failure.usage` if there is none, or if there are key files, but not one for each.
    func entries(_ stored: [(name: String, ciphertext: EncryptedBackup)]) throws(Failure) -> [Entry] {
        guard !stored.isEmpty else {
            throw Failure(
                .usage, "No backup of the wallet's cards is stored.",
                hint: "Name each card's backup with --backup FILE.")
        }
        guard keyFile.isEmpty || keyFile.count == stored.count else {
            throw Failure(
                .usage,
                lines: ["Give one --key-file for each of these backups, in this order, or none:"]
                    + stored.map { "  \($0.name)" })
        }
        return stored.enumerated().map { index, backup in
            Entry(
                name: backup.name, stored: backup.ciphertext, keyFile: keyFile.isEmpty ? nil : keyFile[index])
        }
    }
}
