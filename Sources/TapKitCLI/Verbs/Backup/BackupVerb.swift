import ArgumentParser

/// `tapkit backup`: a TAPSIGNER's encrypted backup.
struct BackupVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Save the card's encrypted backup; verify a backup file, or show its key.",
        usage: """
            tapkit backup [--output <file>] [<options>]
            tapkit backup verify <file> [--key-file <path>] [--no-card] [<options>]
            tapkit backup show <file> [--key-file <path>] [<options>]
            """,
        discussion: """
            The backup file is encrypted with AES-128; the backup key is printed on the back of the card. Anyone who \
            has both can take the money, so keep them in different places.

            Without a subcommand, the card's backup is saved to -o FILE, --output FILE; default: IDENT.aes in this \
            folder. For the other options, see tapkit help backup save.
            """,
        subcommands: [BackupSaveVerb.self, BackupVerifyVerb.self, BackupShowVerb.self],
        defaultSubcommand: BackupSaveVerb.self)
}
