import ArgumentParser
import Bitcoin
import TapManager
import TapProtocol

/// `tapkit backup show`: reveals the master key in a backup.
struct BackupShowVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Open a backup and show its master private key; asks twice. Needs no card.",
        discussion: """
            Seldom needed: tapkit backup verify tells whether a backup is good, and tapkit recover sign signs with it, \
            both without showing the key.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The encrypted backup; - for standard input.", completion: .file())
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
        try options.requireSense()
        try GlobalOptions.requireOneInput([
            ("The backup", file == "-"), ("the backup's key", keyOptions.readsStandardInput),
        ])
        let network = try options.network()
        let encrypted = try EncryptedBackup(path: file, keyOptions)
        let acceptance = try options.acceptance()
        try Confirmation.require("Open this backup and show its master private key on this screen?", acceptance)
        let backup = try encrypted.open(for: network)
        let account = try backup.account(at: backup.path)
        try Confirmation.require(
            "Whoever reads it can take all the money of card key \(account.masterFingerprint), without card or CVC. "
                + "Is nobody watching, and do you really need it?",
            acceptance)
        answer(backup, account, network: network ?? backup.network)
    }

    private func answer(_ backup: Backup, _ account: Account, network: Network) {
        let console = options.console
        if !backup.isPathWhole { console.note(BackupText.cutOff) }
        console.answer(
            Answer(
                xprv: backup.masterKey.text, fingerprint: account.masterFingerprint.description,
                path: account.path.description, network: network.rawValue),
            ["  Master key: \(backup.masterKey.text)"] + BackupText.lines(account, network: network)
                + [BackupText.warning])
    }
}
