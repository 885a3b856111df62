/// `backup`: the master key and the path, encrypted with the AES key that is printed on the card.
///
/// Verified: nothing; a backup is saved as it came, whatever its length. `Backup` opens it and compares the key with the
/// card's.
///
/// Spec: protocol, "Commands" and "Backup file".
struct BackupCommand: TapCommand {
    static let name = "backup"
    static let products: Set<CardProduct> = [.tapsigner]

    static func authentication(for product: CardProduct) -> Authentication { .required }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> EncryptedBackup {
        let data = try fields.bytes("data", count: EncryptedBackup.lengths)
        if !EncryptedBackup.usualLengths.contains(data.count) { fields.note("`data` has \(data.count) bytes") }
        return try EncryptedBackup(data)
    }
}
