import ArgumentParser
import TapManager

/// `hwi backup`: saves the card's encrypted backup, as `tapkit backup` does.
struct HWIBackup: HWICommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Save the card's encrypted backup as IDENT.aes in this folder.")

    @OptionGroup var globals: HWIGlobals

    @OptionGroup var unused: HWIBackupOptions

    func answer(_ session: HWISession) async throws -> HWISuccess {
        let device = try await session.device(for: "find out its fingerprint")
        let status = device.access.status
        guard status.product == .tapsigner else {
            throw HWIError(.unavailableAction, "A \(status.product.displayName) cannot be backed up.")
        }
        guard status.isSetUp else { throw HWIError(.notInitialized, "The card has no key yet.") }
        let file = BackupFile(ident: status.ident)
        let backup = try await session.managing(device, to: "make a backup") { manager in
            try await manager.backUp(device.access, to: file)
        }
        session.note("The encrypted backup is \(file.absolutePath), \(backup.ciphertext.count) bytes.")
        return HWISuccess()
    }
}
