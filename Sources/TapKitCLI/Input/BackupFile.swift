import Glibc
import TapManager
import TapProtocol

/// Where a card's encrypted backup is saved.
struct BackupFile: Sendable {
    private static let mode: mode_t = 0o600

    /// The file's path.
    let path: String

    /// The file that was named, or the card's ident with `.aes` in this folder.
    init(path: String?, ident: CardIdent) { self.path = path ?? "\(ident).aes" }

    /// The file's path from the root, for people who ask later from another folder.
    var absolutePath: String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// Confirms, before the card is asked, that the file can be written.
    func checkWritable() throws(Failure) {
        do { try AtomicFile.checkWritable(path) } catch { throw Failure(error) }
    }

    /// Saves a backup for good: synced, read back, and never over a file with other content, which may be another card's backup.
    @Sendable func save(_ backup: BackupFlow.Backup) throws(AtomicFile.WritingError) {
        try AtomicFile.writeKeeping(backup.ciphertext, at: path, mode: Self.mode)
    }
}
