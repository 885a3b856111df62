import ArgumentParser
import TapManager
import Terminal

/// `tapkit backup show`: reveals the master key in a backup.
struct BackupShowVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Decrypt a backup file and show its master private key; asks twice. Needs no card.",
        discussion: """
            Rarely needed: tapkit backup verify checks whether a backup is good, and tapkit recover sign signs with \
            it, both without showing the key. Settings from the configuration and the environment are ignored; only \
            --network counts.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The backup file; - for standard input.", completion: .file())
    var file: String

    @OptionGroup var keyOptions: BackupKeyOptions

    private struct Answer: Encodable {
        let valid = true
        let xprv: String
        let fingerprint: String
        let path: String
        let network: String
    }

    func run() async throws {
        try options.requireTypedSense()
        try GlobalOptions.requireOneInput([
            ("The backup", InputFile.isStandardInput(file)), ("the backup's key", keyOptions.readsStandardInput),
        ])
        let ciphertext = try BackupKeyOptions.ciphertext(in: file)
        let invocation = try Invocation(options, to: .apart, backupKey: try keyOptions.given())
        let opened = try await invocation.openBackup(ciphertext, in: file, for: .showKey)
        let (master, account) = (opened.backup.masterKey.text, opened.account)
        invocation.console.answer(
            Answer(
                xprv: master, fingerprint: account.masterFingerprint.description, path: account.path.description,
                network: opened.network.rawValue),
            ["  Master key: \(master)"] + BackupText.lines(opened) + [BackupText.warning])
    }
}
