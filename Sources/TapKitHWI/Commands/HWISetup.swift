import TapManager

/// `hwi setup`: sets up a card, as `tapkit setup` does.
struct HWISetup: HWICommand {
    static let grammar = HWIGrammar(
        "setup", abstract: "Set up a card: key, backup, path, new CVC (with --interactive).",
        discussion: """
            The card picks its key with a random chain code from this machine. The encrypted backup is saved as \
            IDENT.aes in this folder; then you are asked twice for the new CVC. tapkit setup has more options.
            """,
        options: HWIBackupOptions.all)

    init(_ values: HWIValues) {}

    func answer(_ session: HWISession) async throws -> HWISuccess {
        guard session.globals.isInteractive else {
            throw HWIError(.unavailableAction, "setup requires interactive mode")
        }
        let working = try await session.card(to: "set the card up")
        let card = working.device.card
        var goal = SetupGoal()
        goal.isForNewCards = true
        // Only the user, who is asked for it, has the new CVC.
        goal.triesCVCFirst = true
        let result = try await working.work { [goal] in try await $0.setUp(card, goal) }
        if result.backup != nil {
            session.note("Encrypted backup saved to \(BackupFile(ident: card.ident).absolutePath).")
        }
        return HWISuccess()
    }
}
