import TapManager

/// HWI's options for backups, which apply to other devices.
enum HWIBackupOptions {
    static let all = [
        HWIOption("label", short: "l", value: .text("label"), help: "Ignored: a card has no label."),
        HWIOption(
            "backup_passphrase", short: "b", value: .text("backup_passphrase"),
            help: "Ignored: the backup key is printed on the card."),
    ]
}

/// `hwi backup`: saves the card's encrypted backup, as `tapkit backup` does.
struct HWIBackup: HWICommand {
    static let grammar = HWIGrammar(
        "backup", abstract: "Save the card's encrypted backup as IDENT.aes in this folder.",
        options: HWIBackupOptions.all)

    init(_ values: HWIValues) {}

    func answer(_ session: HWISession) async throws -> HWISuccess {
        let working = try await session.card(to: "make a backup")
        let card = working.device.card
        let file = BackupFile(ident: card.ident)
        let backup = try await working.work { try await $0.backUp(card, to: file) }
        session.note("Encrypted backup saved to \(file.absolutePath) (\(backup.ciphertext.bytes.count) bytes).")
        return HWISuccess()
    }
}
