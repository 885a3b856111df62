import GRDB
import Glibc

extension StoreError {
    /// Whether the database's file itself is damaged. Disk errors, a full disk, locks and permissions are not damage.
    static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
    }

    /// SQLite's report, in the store's words. Contains no values of statements.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as StoredRow.Unreadable: self = .unreadable(path: path, what: error.what)
        case is StoredValue.Unstorable:
            self = .failed(path: path, reason: "a text with a NUL character cannot be stored")
        case let error as DatabaseError: self.init(database: error, path: path)
        default: self = .failed(path: path, reason: "an error of type \(type(of: error))")
        }
    }

    private init(database error: DatabaseError, path: String) {
        let reason = error.message ?? "no reason given"
        switch error.resultCode {
        case .SQLITE_FULL: self = .diskFull(path: path)
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: self = .busy(path: path)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            self = Self.isFull(path) ? .diskFull(path: path) : .notWritable(path: path, reason: reason)
        // Growing the shared index fails as an I/O error if the disk is full.
        case .SQLITE_IOERR where Self.isFull(path): self = .diskFull(path: path)
        case .SQLITE_IOERR where Self.writingFailures.contains(error.extendedResultCode):
            self = .notWritable(path: path, reason: reason)
        default: self = .failed(path: path, reason: "\(reason) (SQLite \(error.extendedResultCode.rawValue))")
        }
    }

    /// How writing fails if a disk can only be read, such as one that the system remounted after a fault.
    private static let writingFailures: [ResultCode] = [
        .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC, .SQLITE_IOERR_TRUNCATE,
        .SQLITE_IOERR_DELETE, .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE,
    ]

    /// Whether there is no room for what SQLite keeps next to a database, 32 KiB at a time, or for another file.
    static func isFull(_ path: String) -> Bool {
        // A disk that can only be read has no room either, but that is not what is wrong.
        guard access(path, W_OK) == 0 || errno != EROFS else { return false }
        var information = statvfs()
        guard statvfs(path, &information) == 0 else { return false }
        // Some file systems do not count their files.
        let hasNoFileLeft = information.f_files > 0 && information.f_favail == 0
        // Some file systems have no end of room.
        let (room, isEndless) = information.f_bavail.multipliedReportingOverflow(by: information.f_frsize)
        return hasNoFileLeft || !isEndless && room < 32_768
    }
}
