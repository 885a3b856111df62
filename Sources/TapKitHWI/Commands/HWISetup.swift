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
        let device = try await session.device(to: "set it up")
        guard !device.card.status.isSetUp else {
            throw HWIError(.alreadyInitialized, "The card has a key already.")
        }
        let backup = try await session.host.setUp(
            device.card, session.globals.places, givenCVC: session.knownCVC(of: device))
        if let backup { session.note("The encrypted backup is \(backup).") }
        return HWISuccess()
    }
}
