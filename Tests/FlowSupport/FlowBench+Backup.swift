import Bitcoin
import ByteCodec
import TapManager
import TapProtocol
import TapSimulator
import Testing

extension FlowBench {
    /// The card's backup, made and opened now.
    package func backup() async throws -> Backup {
        let saved = try await run {
            try await BackupFlow(driver: $0, cvc: CVC(Self.cvc)).backup(to: "backup.aes") { _ in }
        }
        let key = try Backup.Key(hex: try #require(record.aesKey))
        return try Backup(decrypting: saved.ciphertext, key: key)
    }

    /// Compares a backup with the card, as a program does from its start to its end.
    package func check(_ backup: Backup) async throws -> DerivationPath {
        try await run { try await BackupCheckFlow(driver: $0, cvc: CVC(Self.cvc)).check(backup) }
    }
}

extension Backup {
    /// The key of `encrypted(_:path:end:)`.
    package static let keyText = "00112233445566778899aabbccddeeff"

    /// A backup of a master key as a card encrypts it.
    package static func encrypted(
        _ master: ExtendedPrivateKey, path: String = "m/84h/1h/0h", end: String = "\n"
    ) throws -> EncryptedBackup {
        let text = Array("\(master.text)\n\(path)\(end)".utf8)
        return try EncryptedBackup(#require(AES128CTR.crypt(text, key: SecretBytes(try Hex.decode(keyText)))))
    }

    /// A backup of a master key, encrypted as a card does and opened again.
    package static func made(of master: ExtendedPrivateKey, path: String = "m/84h/1h/0h") throws -> Backup {
        try Backup(decrypting: encrypted(master, path: path), key: Backup.Key(hex: keyText))
    }
}
