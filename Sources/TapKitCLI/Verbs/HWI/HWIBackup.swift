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
        let file = BackupFile(path: nil, ident: status.ident)
        try file.checkWritable(backupCount: status.backupCount)
        let card = try session.card(device, for: "make a backup")
        let watched = card.watched
        let backup = try await card.unlock { (cvc) async throws(FlowError) in
            try await watched.manager.backUp(watched.gate, cvc: cvc, to: file.absolutePath, save: file.save)
        }.result
        session.note("The encrypted backup is \(file.absolutePath), \(backup.ciphertext.count) bytes.")
        return HWISuccess()
    }
}
