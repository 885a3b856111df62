import Glibc
import TapProtocol

/// Where a card's encrypted backup is saved.
public struct BackupFile: Sendable, Hashable {
    private static let mode: mode_t = 0o600

    /// The file's path, as given: absolute, or relative to the current folder.
    public let path: String
    /// Whether the name gets a number if the file has another backup; otherwise nothing is saved then.
    private let isNumbered: Bool

    /// A file for the backup of a card.
    /// - Parameter path: `nil`: the card's ident with `.aes`, in the current folder.
    public init(path: String? = nil, ident: CardIdent) {
        self.path = path ?? "\(ident).aes"
        isNumbered = false
    }

    /// The file with a path that was chosen before, as the journal has it.
    package init(path: String) {
        self.path = path
        isNumbered = false
    }

    /// A file whose name gets a number if it has another backup already.
    package init(numbering path: String) {
        self.path = path
        isNumbered = true
    }

    /// The absolute path, for users who ask later from another folder.
    package var absolutePath: String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// Confirms that if the name exists, it is a regular file, not a pipe or device, which would not keep the backup.
    /// - Throws: `.noFile`.
    func requireFile() throws(BackupFileError) {
        guard access(path, F_OK) != 0 || AtomicFile.length(of: path) != nil else { throw .noFile(path) }
    }

    /// Confirms, before the card is asked, that the backup can be saved. An existing file is accepted only if it may be
    /// the same backup. It cannot be if the card has made none, or if its length is not a backup's.
    /// - Parameter backupCount: how many backups the card has made; `nil` if it does not report it.
    /// - Throws: `.writing`.
    func checkWritable(backupCount: Int?) throws(BackupFileError) {
        do throws(WritingError) {
            try AtomicFile.checkWritable(path)
            guard !isNumbered, let length = AtomicFile.length(of: path) else { return }
            guard backupCount != 0, EncryptedBackup.usualLengths.contains(length) else {
                throw WritingError(path: path, errorNumber: EEXIST)
            }
        } catch { throw .writing(error) }
    }

    /// A file in which a backup of the card can be saved: this one, unless it has anything else than the card's last
    /// backup; otherwise its path with a number added.
    func saveable(forBackupOf card: CardIdent, in store: any Store) -> BackupFile {
        // If the store cannot be read, there is no backup to compare with.
        let isKnown = (try? store.cards())?.contains { $0.ident == card } == true
        let last = isKnown ? (try? store.backups(of: card).first)?.ciphertext : nil
        let free = names.first { name in
            AtomicFile.length(of: name) == nil || last.map { (try? AtomicFile.holds($0.bytes, name)) == true } == true
        }
        return BackupFile(path: free ?? path)
    }

    /// The path, then with numbers added.
    private var names: [String] {
        let end = path.lastIndex(of: ".").flatMap { $0 > path.lastIndex(of: "/") ?? path.startIndex ? $0 : nil }
        let (stem, ending) = (path[..<(end ?? path.endIndex)], path[(end ?? path.endIndex)...])
        return [path] + (2...99).map { "\(stem)-\($0)\(ending)" }
    }

    /// Saves a backup permanently: synced, read back, and never over a file with other content, which may be another
    /// card's backup.
    @Sendable func save(_ backup: CardBackup) throws(WritingError) {
        try AtomicFile.writeKeeping(backup.ciphertext.bytes, at: place(of: backup).path, mode: Self.mode)
    }

    /// The file that a backup is saved in: this one, or the first numbered one that has no other backup.
    package func place(of backup: CardBackup) -> BackupFile {
        guard isNumbered else { return self }
        let name = names.first { (try? AtomicFile.holds(backup.ciphertext.bytes, $0)) != false }
        return BackupFile(path: name ?? path)
    }
}
