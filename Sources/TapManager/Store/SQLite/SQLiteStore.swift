import GRDB
import Synchronization

/// The store in a file: an SQLite database in a folder of its own.
///
/// One writer at a time and many readers, in one or more processes. What a call has written is on disk when it returns
/// (WAL, `synchronous=FULL`). The call that notices a damaged file sets it aside and throws `.damaged`; opening the
/// store again starts with an empty one. `folder`, `store.sqlite` and the files next to it belong to this user and are
/// closed to others.
///
/// Must not be used from within the closure that `updateTransaction` is given.
package final class SQLiteStore: Store {
    /// The files.
    let files: StoreFiles
    /// The connections.
    private let pool: DatabasePool
    /// Tells others that the files are in use; `nil` if that is impossible, in a read-only folder.
    private let lock: StoreLock?
    private let clock: UnixClock
    /// Why this store can no longer be used: its file was set aside.
    private let ending = Mutex<StoreError?>(nil)

    init(files: StoreFiles, pool: DatabasePool, lock: StoreLock?, clock: @escaping UnixClock) {
        self.files = files
        self.pool = pool
        self.lock = lock
        self.clock = clock
    }

    /// The database's file.
    package var path: String { files.database }

    // MARK: Access

    /// Reads everything in one state of the store.
    func read<Result>(_ work: (Database) throws -> Result) throws(StoreError) -> Result {
        try use { try $0.read(work) }
    }

    /// Reads as `read` does, and leaves a damaged file where it is. SQLite remembers damage that the work has ignored,
    /// and reports it again at the end.
    func readLeavingDamage<Result>(_ work: (Database) throws -> Result) throws(StoreError) -> Result {
        if let ending = ending.withLock({ $0 }) { throw ending }
        var result: Result?
        do { try pool.read { result = try work($0) } } catch {
            guard StoreError.isDamage(error) else { throw StoreError(error, path: path) }
        }
        guard let result else { throw .damagedInUse(path: path, reason: "it was only to be read, and was not moved") }
        return result
    }

    /// Writes, with no other writer in between; all or nothing.
    func write<Result>(_ work: (Database) throws -> Result) throws(StoreError) -> Result {
        try use { try $0.write(work) }
    }

    /// Uses the connections, and turns any error into a store's error.
    func use<Result>(_ work: (DatabasePool) throws -> Result) throws(StoreError) -> Result {
        if let ending = ending.withLock({ $0 }) { throw ending }
        do { return try work(pool) } catch {
            guard StoreError.isDamage(error) else { throw StoreError(error, path: path) }
            throw putAside()
        }
    }

    /// Sets the damaged files aside, unless another process uses them. Connections that are still open continue with
    /// the renamed files.
    private func putAside() -> StoreError {
        ending.withLock { ending in
            if let ending { return ending }
            let error = Self.putAside(files, lock, clock)
            if case .damaged = error {
                ending = error
                // Renamed before closing: SQLite does not touch a database that has moved.
                try? pool.close()
            }
            return error
        }
    }

    /// Sets damaged files aside.
    /// - Returns: `.damaged`, or `.damagedInUse` if that is impossible.
    static func putAside(_ files: StoreFiles, _ lock: StoreLock?, _ clock: UnixClock) -> StoreError {
        guard let lock, files.isWritable else {
            return .damagedInUse(path: files.database, reason: "its folder cannot be written")
        }
        defer { _ = lock.takeIfFree(.shared) }
        guard lock.takeAloneSoon() else {
            return .damagedInUse(path: files.database, reason: "another process uses it")
        }
        do throws(StoreError) {
            return .damaged(path: files.database, setAside: try files.setAside(at: clock()))
        } catch { return error }
    }
}
