import Bitcoin
import TapProtocol

/// A decrypted backup. Has a private key.
public struct OpenedBackup: Sendable {
    /// The master key, and the card's path at the time of the backup.
    public let backup: Backup
    /// The account at that path.
    package let account: Account
    /// The requested network, or else the key's; the key does not show which of the test networks.
    package let network: Network

    /// Decrypts a backup.
    /// - Parameters:
    ///   - network: the one that it must be for; `nil`: any.
    ///   - isWhole: whether it must be complete; otherwise one whose path is cut off is accepted, as its key is
    ///     complete.
    /// - Throws: `TapError.badBackup`, `OtherNetwork`.
    init(
        decrypting ciphertext: EncryptedBackup, key: Backup.Key, network: Network?, wholly isWhole: Bool
    ) throws {
        let backup = try Backup(decrypting: ciphertext, key: key)
        let own = backup.masterKey.network
        if let network, network.keyNetwork != own { throw OtherNetwork(of: .backup, own, asked: network) }
        guard backup.isPathWhole || !isWhole else { throw TapError.badBackup(.cutOff) }
        self.backup = backup
        account = try backup.account(at: backup.path)
        self.network = network ?? (own == .main ? .main : .test)
    }
}
