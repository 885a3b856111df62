import Bitcoin
import TapProtocol

/// A backup as a TAPSIGNER gave it, and the way to the key that opens it, which is printed on that card.
public struct EncryptedBackup: Sendable {
    private let ciphertext: [UInt8]
    private let key: @Sendable () async throws -> Backup.Key

    /// Nothing is opened, and nobody asked, yet.
    /// - Parameters:
    ///   - ciphertext: of one of `Backup.lengths`.
    ///   - key: tells the key, or asks for it; called when the backup is opened, once each time.
    public init(_ ciphertext: [UInt8], key: @escaping @Sendable () async throws -> Backup.Key) {
        (self.ciphertext, self.key) = (ciphertext, key)
    }

    /// Opens the backup. Its private key is in this machine's memory from then on.
    /// - Parameters:
    ///   - network: the one that it must be for; `nil`: any.
    ///   - isWhole: whether nothing may be missing in it; else one whose path was cut off will do, for its key is whole.
    /// - Throws: `ErrorCode.wrongBackupKey`, `ErrorCode.badBackup`, `ErrorCode.wrongNetwork`, and what `key` throws.
    public func opened(for network: Network? = nil, wholly isWhole: Bool = false) async throws -> OpenedBackup {
        let backup = try Backup(decrypting: ciphertext, key: try await key())
        let own = backup.masterKey.network
        if let network, network.keyNetwork != own { throw OtherNetwork(of: .backup, own, asked: network) }
        guard backup.isPathWhole || !isWhole else { throw TapError.badBackup(.cutOff) }
        return OpenedBackup(
            backup: backup, account: try backup.account(at: backup.path),
            network: network ?? (own == .main ? .main : .test))
    }
}

/// A backup that was opened. Holds a private key.
public struct OpenedBackup: Sendable {
    /// The master key, and the path that the card had then.
    public let backup: Backup
    /// The account at that path.
    package let account: Account
    /// The network that was asked for, or else the one that the key is for; which of the test networks, it does not say.
    package let network: Network
}
