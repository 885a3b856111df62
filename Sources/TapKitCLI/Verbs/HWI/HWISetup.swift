import ArgumentParser
import TapManager

/// `hwi setup`: makes a card ready for use, as `tapkit setup` does.
struct HWISetup: HWICommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Make a card ready: key, backup, path, new CVC (with --interactive).",
        discussion: """
            The card picks its key with a chain code that this machine draws; the encrypted backup is saved as IDENT.aes in \
            this folder; then the new CVC is asked for, twice. tapkit setup offers more.
            """)

    @OptionGroup var globals: HWIGlobals

    @OptionGroup var unused: HWIBackupOptions

    func answer(_ session: HWISession) async throws -> HWISuccess {
        guard globals.isInteractive else {
            throw HWIError(.unavailableAction, "setup requires interactive mode")
        }
        let device = try await session.device(for: "set it up")
        guard !device.access.status.isSetUp else {
            throw HWIError(.alreadyInitialized, "The card has a key already.")
        }
        let result = try await session.managing(device, to: "set the card up") { manager in
            try await manager.setUp(device.access)
        }
        if result.backup != nil {
            session.note("The encrypted backup is \(BackupFile(ident: device.access.ident).absolutePath).")
        }
        return HWISuccess()
    }
}
