import Bitcoin
import ByteCodec
import Foundation
import Testing

/// A card's backup, and what is done with it.
extension Workshop {
    /// No reader is asked for, and there is no PC/SC service: as on a machine without either.
    static let offline: [String: String?] = [
        "TAPKIT_READER": nil, "TAPKIT_CVC_FILE": nil, "PCSCLITE_CSOCK_NAME": "/nonexistent/pcscd.comm",
    ]

    /// Writes the key that is printed on the card into the file `key`.
    /// - Returns: the key.
    @discardableResult
    func writeBackupKey() throws -> String {
        let key = try #require(backupKey)
        try folder.write(key + "\n", to: "key")
        return key
    }

    /// Writes a backup of a text under the card's own key.
    func writeBackup(_ text: String, to name: String) throws {
        let key = SecretBytes(try Hex.decode(try #require(backupKey)))
        let data = try #require(AES128CTR.crypt(Array(text.utf8), key: key))
        try Data(data).write(to: folder.url.appendingPathComponent(name))
    }
}
