import AnswerDocuments
import ArgumentParser
import TapManager

/// `tapkit backup`: saves the card's encrypted backup.
struct BackupSaveVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Save the card's encrypted backup.",
        discussion: """
            The backup file is encrypted with AES-128; the backup key is printed on the back of the card. Anyone who \
            has both can take the money, so keep them in different places.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The backup file; default: IDENT.aes in this folder.", valueName: "file"),
        completion: .file())
    var output: String?

    func run() async throws {
        guard output != "-" else {
            throw Failure(
                .usage, "A backup is saved to a file, not to standard output.", hint: "Name a new file with -o.")
        }
        let invocation = try Invocation(options)
        let card = try await invocation.card()
        let file = BackupFile(path: output, ident: card.ident)
        let backup = try await invocation.during { try await invocation.manager.backUp(card, to: file) }
        invocation.console.answer(
            SavedBackupDocument(backup, in: file),
            [
                "Backup of \(card.label) saved to \(file.path) (\(backup.ciphertext.bytes.count) bytes).",
                "According to the card, it has made \(backup.count.counted("backup")) so far.",
                "Not verified yet: tapkit backup verify \(file.path), preferably on another reader.",
            ])
    }
}
