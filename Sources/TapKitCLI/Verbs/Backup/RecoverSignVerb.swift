import AnswerDocuments
import ArgumentParser
import Bitcoin
import TapManager
import Terminal

/// `tapkit recover sign`: signs a PSBT with a backup, without the card.
struct RecoverSignVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a PSBT with the backup of a lost card.",
        discussion: """
            Works like tapkit sign, with the same checks and questions, but without the card. The backup is decrypted \
            on this machine, so its key is hot from then on: use it to move the money to a new key.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var signing: SigningOptions
    @OptionGroup var overwriting: OverwritingOption
    @OptionGroup var rules: SigningRules
    @OptionGroup var picture: QRTransferOptions

    @Option(
        help: ArgumentHelp("The card's backup file; - for standard input.", valueName: "file"), completion: .file()
    )
    var backup: String

    @OptionGroup var keyOptions: BackupKeyOptions

    func run() async throws {
        try options.requireSense()
        try GlobalOptions.requireOneInput([
            ("The PSBT", signing.readsStandardInput), ("the backup", InputFile.isStandardInput(backup)),
            ("the backup's key", keyOptions.readsStandardInput),
        ])
        let policy = try rules.policy()
        let console = options.console
        let job = SigningJob(
            console, .file(signing.target(overwriting)), isExtracting: rules.extract,
            isFinalizing: !rules.noFinalize, registrations: rules.registration,
            transfer: try picture.transfer())
        let invocation = try Invocation(options, to: .rescuing, backupKey: try keyOptions.given())
        let psbt = try job.read()
        try job.checkWritable()
        let ciphertext = try BackupKeyOptions.ciphertext(in: backup)
        var report = try await BackupText.naming(backup) {
            try await invocation.during {
                try await invocation.manager.sign(
                    psbt, withBackup: ciphertext, network: invocation.network, policy: policy)
            }
        }
        // Without a usable store, it was kept in memory only.
        if invocation.storeProblem != nil { report.isKept = false }
        try job.finish(SigningOutcome(report: report, isHot: true))
    }
}
