import TapManager

/// `hwi setup`: makes a card ready for use, as `tapkit setup` does.
struct HWISetup: HWICommand {
    static let grammar = HWIGrammar(
        "setup", abstract: "Make a card ready: key, backup, path, new CVC (with --interactive).",
        discussion: """
            The card picks its key with a chain code that this machine draws; the encrypted backup is saved as IDENT.aes in \
            this folder; then the new CVC is asked for, twice. tapkit setup offers more.
            """,
        options: HWIBackupOptions.all)

    init(_ values: HWIValues) {}

    func answer(_ session: HWISession) async throws -> HWISuccess {
        guard session.globals.isInteractive else {
            throw HWIError(.unavailableAction, "setup requires interactive mode")
        }
        let working = try await session.card(to: "set the card up")
        let card = working.device.card
        guard !card.status.isSetUp else {
            throw HWIError(.alreadyInitialized, "The card has a key already.")
        }
        let result = try await working.work { try await $0.setUp(card) }
        if result.backup != nil {
            session.note("The encrypted backup is \(BackupFile(ident: card.ident).absolutePath).")
        }
        return HWISuccess()
    }
}
