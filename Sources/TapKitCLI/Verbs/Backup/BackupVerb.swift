import ArgumentParser

/// `tapkit backup`: a TAPSIGNER's encrypted backup.
struct BackupVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Save the card's encrypted backup; verify a backup, show its key.",
        usage: """
            tapkit backup [--output <file>] [<options>]
            tapkit backup verify <file> [--key-file <path>] [--no-card] [<options>]
            tapkit backup show <file> [--key-file <path>] [<options>]
            """,
        discussion: """
            The file is AES-128 ciphertext; the key is printed on the back of the card. Together they are the money, so \
            keep them in different places.

            Without a subcommand the card's backup is saved: -o FILE, --output FILE says where it goes; default: \
            IDENT.aes in this folder. The other options: tapkit help backup save.
            """,
        subcommands: [BackupSaveVerb.self, BackupVerifyVerb.self, BackupShowVerb.self],
        defaultSubcommand: BackupSaveVerb.self)
}
