import GRDB
import Synchronization

/// The store in a file: an SQLite database in a folder of its own.
///
/// One writer at a time and many readers, in one process or several. What a call has written is on the disk when it
/// returns (WAL, `synchronous=FULL`). A damaged file is put aside by the call that notices it, which throws `.damaged`;
/// the next opening begins with an empty store. `folder`, `store.sqlite` and what stands beside it belong to this user
/// and are closed to others.
///
/// Must not be used from within the closure that `updateTransaction` is given.
package final class SQLiteStore: Store {
    /// The files.
    let files: StoreFiles
    /// The connections.
    private let pool: DatabasePool
    /// Says to others that the files are in use; `nil` where even that cannot be said, in a folder that is read only.
    private let lock: StoreLock?
    private let clock: UnixClock
    /// Why this store cannot be used any more: its file was put aside.
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

    /// Reads, all in one state of the store.
    func read<Result>(_ work: (Database) throws -> Result) throws(StoreError) -> Result {
        try use { try $0.read(work) }
    }

    /// Reads as `read` does, and leaves a damaged file where it is. SQLite does not forget damage that the work has got over,
    /// and tells it again at the end.
    func readLeavingDamage<Result>(_ work: (Database) throws -> Result) throws(StoreError) -> Result {
        if let ending = ending.withLock({ $0 }) { throw ending }
        var result: Result?
        do { try pool.read { result = try work($0) } } catch {
            guard StoreError.isDamage(error) else { throw StoreError(error, path: path) }
        }
        guard let result else { throw .damagedInUse(path: path, reason: "it was to be read, and is left in its place") }
        return result
    }

    /// Writes, with no other writer in between; all of it or nothing.
    func write<Result>(_ work: (Database) throws -> Result) throws(StoreError) -> Result {
        try use { try $0.write(work) }
    }

    /// Works with the connections, and makes a store's error of whatever goes wrong.
    func use<Result>(_ work: (DatabasePool) throws -> Result) throws(StoreError) -> Result {
        if let ending = ending.withLock({ $0 }) { throw ending }
        do { return try work(pool) } catch {
            guard StoreError.isDamage(error) else { throw StoreError(error, path: path) }
            throw putAside()
        }
    }

    /// Puts the damaged files aside, unless somebody else uses them. What still works with them works on under their
    /// new names.
    private func putAside() -> StoreError {
        ending.withLock { ending in
            if let ending { return ending }
            let error = Self.putAside(files, lock, clock)
            if case .damaged = error {
                ending = error
                // Renamed before they are closed: SQLite leaves a database alone that is not where it was.
                try? pool.close()
            }
            return error
        }
    }

    /// Puts damaged files aside.
    /// - Returns: `.damaged`, or `.damagedInUse` where that cannot be.
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
