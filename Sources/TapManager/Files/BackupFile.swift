import Glibc
import TapProtocol

/// Where a card's encrypted backup is saved.
public struct BackupFile: Sendable, Hashable {
    private static let mode: mode_t = 0o600

    /// The file's path, as it was named.
    public let path: String

    /// A file for the backup of a card.
    /// - Parameter path: `nil`: the card's ident with `.aes`, in the folder that the process is in.
    public init(path: String? = nil, ident: CardIdent) { self.path = path ?? "\(ident).aes" }

    /// The file's path from the root, for people who ask later from another folder.
    package var absolutePath: String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// Confirms that what has the name, if anything, is a file, in which the backup stays: no pipe, no device.
    /// - Throws: `.noFile`.
    func requireFile() throws(BackupFileError) {
        guard access(path, F_OK) != 0 || AtomicFile.length(of: path) != nil else { throw .noFile(path) }
    }

    /// Confirms, before the card is asked, that the backup can be saved. A file that is there already may hold the same
    /// backup, and nothing else: then it cannot be from a card that has made none, nor have a length that no backup has.
    /// - Parameter backupCount: how many backups the card has made; `nil` when it does not say.
    /// - Throws: `.writing`.
    func checkWritable(backupCount: Int?) throws(BackupFileError) {
        do throws(WritingError) {
            try AtomicFile.checkWritable(path)
            guard let length = AtomicFile.length(of: path) else { return }
            guard backupCount != 0, Backup.usualLengths.contains(length) else {
                throw WritingError(path: path, errorNumber: EEXIST)
            }
        } catch { throw .writing(error) }
    }

    /// A file in which a backup of the card can be saved: this one, unless it holds something else than the card's last
    /// backup; then one with a number more.
    static func name(_ path: String, forBackupOf card: CardIdent, in store: any Store) -> String {
        // A store that cannot tell has no backup to compare with.
        let isKnown = (try? store.cards())?.contains { $0.ident == card } == true
        let last = isKnown ? (try? store.backups(of: card).first)?.ciphertext : nil
        let end = path.lastIndex(of: ".").flatMap { $0 > path.lastIndex(of: "/") ?? path.startIndex ? $0 : nil }
        let (stem, ending) = (path[..<(end ?? path.endIndex)], path[(end ?? path.endIndex)...])
        let names = [path] + (2...99).map { "\(stem)-\($0)\(ending)" }
        return names.first { name in
            AtomicFile.length(of: name) == nil || last.map { (try? AtomicFile.holds($0, name)) == true } == true
        } ?? path
    }

    /// Saves a backup for good: synced, read back, and never over a file with other content, which may be another card's backup.
    @Sendable func save(_ backup: CardBackup) throws(WritingError) {
        try AtomicFile.writeKeeping(backup.ciphertext, at: path, mode: Self.mode)
    }
}
