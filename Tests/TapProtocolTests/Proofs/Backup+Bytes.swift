import TapProtocol

extension Backup {
    /// Opens ciphertext of any length, as a file may have it.
    init(decrypting ciphertext: [UInt8], key: Key) throws(TapError) {
        try self.init(decrypting: EncryptedBackup(ciphertext), key: key)
    }
}
