import ArgumentParser
import Bitcoin
import TapManager

/// `tapkit recover sign`: signs a PSBT with a backup, without the card.
struct RecoverSignVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a PSBT with the backup of a lost card.",
        discussion: """
            Does what tapkit sign does, with the same checks and questions, and no card. The backup is opened on this \
            machine, so its key is hot from then on: use it to move the money to a new key.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var signing: SigningOptions

    @Option(
        help: ArgumentHelp("The card's encrypted backup; - for standard input.", valueName: "file"), completion: .file()
    )
    var backup: String

    @OptionGroup var keyOptions: BackupKeyOptions

    func run() async throws {
        try options.requireSense()
        try GlobalOptions.requireOneInput([
            ("The PSBT", signing.readsStandardInput), ("the backup", backup == "-"),
            ("the backup's key", keyOptions.readsStandardInput),
        ])
        let network = try options.network()
        let console = options.console
        let desk = SigningDesk(
            console, .file(signing.target), isExtracting: signing.rules.extract,
            isFinalizing: !signing.rules.noFinalize,
            transfer: try signing.picture.transfer())
        let store = openedStore(console)
        let given = try desk.read()
        let psbt = (try? store?.addingSignatures(to: given)) ?? given
        let opened = try EncryptedBackup(path: backup, keyOptions).open()
        console.note("WARNING: \(Self.warning)")
        if !opened.isPathWhole { console.note(BackupText.cutOff) }

        let signer = BackupSigner(opened)
        let plan = try signer.prepare(psbt, network: network, policy: signing.rules.policy, store: store)
        do throws(StoreError) { try store?.check(plan.psbt) } catch {
            if case .contradiction = error { throw error }
        }
        try desk.confirm(
            plan, signer: "the backup of \(signer.fingerprint)", accepting: try options.acceptance())
        let (result, interruption) = signer.sign(plan)
        keep(result, in: store, console)
        try desk.finish(
            SigningEnd(report: SigningReport(result: result, plan: plan, interruption: interruption), isHot: true))
    }

    /// The local store. What it keeps is welcome, but a rescue does not depend on it.
    private func openedStore(_ console: Console) -> SQLiteStore? {
        do { return try options.localStore().opened() } catch {
            console.note("\(error.message) The transaction is not kept there.")
            return nil
        }
    }

    /// The signatures are in the local store, as those of cards are, so that another card can go on.
    private func keep(_ result: SigningResult, in store: SQLiteStore?, _ console: Console) {
        guard result.added > 0, let store else { return }
        do { try store.keep(result.signedPSBT, at: .now()) } catch {
            console.note("\(Failure(error).message) The transaction is not kept there.")
        }
    }

    private static let warning =
        "The backup was opened on this machine, so its key is HOT now: move all its money to a new key."
}
