import Bitcoin

@testable import TapProtocol

/// The decrypted content of a card's backup file, and keys as people type them.
enum BackupTarget: FuzzTarget {
    static let name = "backup"
    static let maximumLength = 1_024

    private static let keyText = "00112233445566778899aabbccddeeff"

    static func run(_ bytes: [UInt8]) throws {
        if let key = try? Backup.Key(typed: bytes) {
            let digits = bytes.filter { !$0.isASCIIWhitespace && $0 != UInt8(ascii: "-") }
            let same = required("a typed key is one") { try Backup.Key(hex: String(decoding: digits, as: UTF8.self)) }
            expect(same.secret.isEqual(to: key.secret), "grouping does not change the key")
        }
        let key = required("a key is read") { try Backup.Key(hex: keyText) }
        let ciphertext = required(AES128CTR.crypt(bytes, key: key.secret), "anything is encrypted")
        let backup = try Backup(decrypting: EncryptedBackup(ciphertext), key: key)
        expectSame(backup.masterKey.depth, 0, "a backup contains a master key")
        expect(backup.path.steps.allSatisfy(\.isHardened), "a backup's path is hardened")
        expect(backup.path.steps.count <= 8, "a backup's path is valid for a card")
        expect(backup.belongs(to: backup.masterKey.neutered), "a backup belongs to its own master key")
        let text = Array("\(backup.masterKey.text)\n\(backup.path)\n".utf8)
        let again = required("what is written is read") {
            try Backup(decrypting: EncryptedBackup(AES128CTR.crypt(text, key: key.secret) ?? []), key: key)
        }
        expectSame(again.masterKey.text, backup.masterKey.text, "the master key is the same")
        expectSame(again.path, backup.path, "the path is the same")
        expect(again.isPathWhole, "a terminated path is complete")
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        let keys = try vectors.texts(in: "bips/bip32.json").filter { $0.hasPrefix("xprv") || $0.hasPrefix("tprv") }
        let paths = ["m/84h/0h/0h", "m", "m/0x54p/0p", "84'/0'/0'", "m/0"]
        let files = keys.prefix(20).flatMap { key in paths.map { "\(key)\n\($0)\n" } }
        return (files + [keyText, "0011 2233-4455 6677 8899 aabb ccdd eeff"]).map { Array($0.utf8) }
    }
}
