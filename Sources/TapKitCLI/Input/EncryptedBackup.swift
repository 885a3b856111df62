import Bitcoin
import TapManager
import TapProtocol

/// A backup file and the key it opens with.
struct EncryptedBackup {
    private let ciphertext: [UInt8]
    private let keyOptions: BackupKeyOptions
    private let givenKey: Backup.Key?

    /// Reads the file, and the key's file if one was named; nobody is asked yet.
    /// - Parameter path: the backup's file; `-` for standard input.
    /// - Throws: `Failure`: `.noInputFile`, `.inputUnreadable`, `.inputTooLarge`, `.badBackupKey`.
    init(path: String, _ keyOptions: BackupKeyOptions) throws(Failure) {
        ciphertext = try InputFile.read(path, limit: Backup.lengths.upperBound)
        self.keyOptions = keyOptions
        givenKey = try keyOptions.fromFile()
    }

    /// Opens the backup; asks for its key if none was given.
    /// - Parameter network: the one that was asked for; `nil`: any.
    /// - Throws: `Failure`: `.keyNeeded`, `.badBackupKey`, `.wrongBackupKey`, `.badBackup`, `.wrongNetwork`.
    func open(for network: Network? = nil) throws(Failure) -> Backup {
        let key: Backup.Key
        if let givenKey { key = givenKey } else { key = try keyOptions.ask() }
        let backup: Backup
        do throws(TapError) { backup = try Backup(decrypting: ciphertext, key: key) } catch { throw Failure(error) }
        if let network, network.keyNetwork != backup.masterKey.network {
            throw Failure(
                .wrongNetwork,
                "The backup is for \(backup.network == .main ? "bitcoin" : "the test networks"), "
                    + "not for \(network).",
                hint: "Leave --network (and TAPKIT_NETWORK) out to go by the backup itself.")
        }
        return backup
    }
}

extension Backup {
    /// The network that its master key is for; which of the test networks, it does not say.
    var network: Network { masterKey.network == .main ? .main : .test }
}
