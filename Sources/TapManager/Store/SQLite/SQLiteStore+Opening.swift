import ByteCodec
import GRDB
import Glibc

extension SQLiteStore {
    private static let busyTimeout = 10.0
    private static let readerCount = 4

    /// Opens the store in a folder, and creates both if they do not exist: missing folders with mode 0700, files with
    /// 0600, whatever the umask. Several processes may do so at once.
    /// - Parameters:
    ///   - folder: where the store is.
    ///   - clock: the time, for the name of a damaged file.
    /// - Throws: `StoreError`: `.unsafe`, `.newer`, `.damaged`, `.damagedInUse`, `.notWritable`, `.diskFull`, `.busy`,
    ///   `.failed`.
    package static func open(folder: String, clock: @escaping UnixClock) throws(StoreError) -> SQLiteStore {
        let files = try StoreFiles(making: folder)
        guard let store = try open(files, isMade: true, clock) else {
            throw .failed(path: files.database, reason: "it vanished while it was being opened")
        }
        return store
    }

    /// Opens the store in a folder if there is one; creates none. In a read-only folder, the store can be read, and
    /// every write throws `.notWritable`.
    /// - Returns: `nil` if there is no store.
    /// - Throws: what `open` throws.
    package static func openExisting(folder: String, clock: @escaping UnixClock) throws(StoreError) -> SQLiteStore? {
        guard let files = try StoreFiles(existing: folder), try files.checkDatabase() else { return nil }
        return files.isWritable ? try open(files, isMade: false, clock) : try openForReading(files, clock)
    }

    /// Opens the store in a folder, if there is one, for reading only: nothing is created, migrated or set aside.
    /// - Returns: `nil` if there is no store.
    /// - Throws: what `open` throws; `.damagedInUse` for a damaged one.
    package static func openToLook(folder: String, clock: @escaping UnixClock) throws(StoreError) -> SQLiteStore? {
        guard let files = try StoreFiles(existing: folder), try files.checkDatabase() else { return nil }
        return try openForReading(files, clock)
    }

    private static func open(
        _ files: StoreFiles, isMade: Bool, _ clock: @escaping UnixClock
    ) throws(StoreError) -> SQLiteStore? {
        // Only one process at a time, so that none sees a half-made store.
        let door = try StoreLock(folder: files.folder)
        try door.take(.alone)
        defer { withExtendedLifetime(door) {} }
        guard try files.checkDatabase() || isMade else { return nil }
        let lock = try StoreLock(file: files.lock, isMade: true)
        try lock.take(.shared)
        if isMade { try files.createDatabase() }
        do {
            let content = try content(of: files.database, named: files.database, isHalfMade: files.isHalfMade)
            if content == .nothing, !isMade { return nil }
            let pool = try DatabasePool(path: files.database, configuration: configuration)
            // GRDB lowers it to NORMAL, with which the last writes before a power failure can be lost.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            if content != .store(version: StoreSchema.version) { try StoreSchema.migrator.migrate(pool) }
            return SQLiteStore(files: files, pool: pool, lock: lock, clock: clock)
        } catch {
            guard StoreError.isDamage(error) else { throw StoreError(error, path: files.database) }
            throw putAside(files, lock, clock)
        }
    }

    private static func openForReading(
        _ files: StoreFiles, _ clock: @escaping UnixClock
    ) throws(StoreError) -> SQLiteStore? {
        let lock = try? StoreLock(file: files.lock, isMade: false)
        try lock?.take(.shared)
        do {
            let name = files.readingName
            let content = try content(of: name, named: files.database)
            guard content != .nothing else { return nil }
            guard content == .store(version: StoreSchema.version) else {
                throw StoreError.notWritable(
                    path: files.database, reason: "its tables must be migrated first")
            }
            var configuration = configuration
            configuration.readonly = true
            let pool = try DatabasePool(path: name, configuration: configuration)
            return SQLiteStore(files: files, pool: pool, lock: nil, clock: clock)
        } catch {
            guard StoreError.isDamage(error) else { throw StoreError(error, path: files.database) }
            throw putAside(files, nil, clock)
        }
    }

    /// Examines a database without changing it.
    /// - Parameters:
    ///   - name: in SQLite's form.
    ///   - path: for errors.
    ///   - isHalfMade: whether SQLite may roll back a transaction that was started in the file, which it must before
    ///     reading it.
    /// - Throws: `.newer`, `.unsafe` for another program's and for one with definitions that are not from here, and what GRDB
    ///   throws.
    static func content(
        of name: String, named path: String, isHalfMade: Bool = false
    ) throws -> StoreSchema.Content {
        var configuration = configuration
        configuration.readonly = !isHalfMade
        // Before GRDB reads the tables, which only a later SQLite may understand.
        configuration.prepareDatabase { database in
            guard try StoreSchema.isKnown(database) else { throw StoreError.newer(path: path) }
        }
        let queue = try DatabaseQueue(path: name, configuration: configuration)
        let content = try queue.read { try StoreSchema.content(of: $0) }
        try queue.close()
        switch content {
        case .newer: throw StoreError.newer(path: path)
        case .foreign: throw StoreError.unsafe(path: path, reason: "it is another program's database")
        case .altered(let difference): throw StoreError.unsafe(path: path, reason: difference)
        case .nothing, .store: return content
        }
    }

    /// How every connection is set up.
    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "tapkit.store"
        configuration.busyMode = .timeout(busyTimeout)
        configuration.maximumReaderCount = readerCount
        configuration.prepareDatabase { database in
            // The file may be damaged or malicious: pages are checked as they are read, and functions in table
            // definitions are never called. What triggers and constraints would do is up to `StoreLayout`.
            try database.execute(sql: "PRAGMA cell_size_check = ON")
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
        }
        return configuration
    }
}

extension StoreFiles {
    /// The database's name for connections that cannot write to its folder. SQLite reads such a file only if its WAL is
    /// there, too, or if it may assume that nobody changes the file, which is true without a WAL.
    var readingName: String {
        var information = stat()
        if stat(database + "-wal", &information) == 0, information.st_size > 0 { return database }
        let plain = database.utf8.map { byte in
            switch UInt8(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                String(UnicodeScalar(byte))
            default: "%" + Hex.encode([byte])
            }
        }
        return "file:\(plain.joined())?immutable=1"
    }
}
