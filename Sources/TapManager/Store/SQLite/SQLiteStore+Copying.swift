import GRDB
import Glibc

extension SQLiteStore {
    /// Copies the whole store, in its state at one moment, into a new file that is a complete store: synced, checked,
    /// accessible only to this user. Others may write meanwhile.
    /// - Parameter path: the new file; an existing one is not replaced.
    /// - Throws: `StoreCopyError`; `.file` with `EEXIST` if `path` exists, `.store` with `.unsafe` for a store with definitions
    ///   that are not from here.
    package func backUp(to path: String) throws(StoreCopyError) {
        let file: NewFile
        do throws(WritingError) { file = try NewFile(at: path) } catch { throw .file(error) }
        defer { unlink(file.temporaryPath + "-journal") }
        var fault: StoreCopyError?
        do throws(StoreError) {
            try use { pool in
                do { try Self.copy(pool, of: self.path, to: file) } catch {
                    fault = Self.fault(error, file)
                    throw error
                }
            }
        } catch { throw fault ?? .store(error) }
        do throws(WritingError) { try file.place() } catch { throw .file(error) }
    }

    private static func copy(_ pool: DatabasePool, of store: String, to file: NewFile) throws {
        var configuration = Configuration()
        configuration.label = "tapkit.backup"
        let copy = try DatabaseQueue(path: file.temporaryPath, configuration: configuration)
        try pool.backup(to: copy)
        let problems = try copy.writeWithoutTransaction { database in
            // One file, without a WAL.
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
            // Another program may have changed the store since it was opened, and the check evaluates what it defines.
            if case .altered(let difference) = try StoreSchema.content(of: database) {
                throw StoreError.unsafe(path: store, reason: difference)
            }
            return try String.fetchAll(database, sql: "PRAGMA integrity_check")
        }
        try copy.close()
        guard problems == ["ok"] else {
            throw StoreCopyError.notWhole(path: file.path, reason: problems.prefix(3).joined(separator: "; "))
        }
    }

    /// What went wrong with the copy; `nil` if the store failed.
    private static func fault(_ error: any Error, _ file: NewFile) -> StoreCopyError? {
        if let error = error as? StoreCopyError { return error }
        guard let error = error as? DatabaseError else { return nil }
        // SQLite has its own codes for files that it cannot create or enlarge.
        let isFull = StoreError.isFull(file.temporaryPath)
        let number: Int32? =
            switch error.resultCode {
            case .SQLITE_FULL: ENOSPC
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: isFull ? ENOSPC : EACCES
            // The store is only read.
            case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_READ: nil
            case .SQLITE_IOERR: isFull ? ENOSPC : EIO
            default: nil
            }
        return number.map { .file(WritingError(path: file.path, errorNumber: $0)) }
    }
}
