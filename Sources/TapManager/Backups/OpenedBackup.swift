import Bitcoin
import TapProtocol

/// A backup that was opened. Holds a private key.
public struct OpenedBackup: Sendable {
    /// The master key, and the path that the card had then.
    public let backup: Backup
    /// The account at that path.
    package let account: Account
    /// The network that was asked for, or else the one that the key is for; which of the test networks, it does not say.
    package let network: Network

    /// Decrypts a backup.
    /// - Parameters:
    ///   - ciphertext: of one of `Backup.lengths`.
    ///   - network: the one that it must be for; `nil`: any.
    ///   - isWhole: whether nothing may be missing in it; else one whose path was cut off will do, for its key is whole.
    /// - Throws: `TapError.badBackup`, `OtherNetwork`.
    init(
        decrypting ciphertext: [UInt8], key: Backup.Key, network: Network?, wholly isWhole: Bool
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
