import Bitcoin
import Foundation
import GRDB
import TestSupport
import Testing

@testable import TapManager

/// What only the store in a file does: how it is made, who may use it, and what it says of a file that it cannot use.
@Suite struct SQLiteStoreTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("data")
    }

    private func open() throws -> SQLiteStore { try SQLiteStore.open(folder: path, clock: StoreBench.clock) }

    private func openExisting() throws -> SQLiteStore? {
        try SQLiteStore.openExisting(folder: path, clock: StoreBench.clock)
    }

    private func mode(_ path: String) throws -> mode_t {
        var information = stat()
        guard lstat(path, &information) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return information.st_mode & 0o7777
    }

    /// What a call throws.
    private func error(_ body: () throws -> Void) -> StoreError? {
        do { try body() } catch { return error as? StoreError }
        return nil
    }

    @Test func everyWriteIsSynced() throws {
        let store = try open()
        let settings = try store.use { pool in
            try pool.writeWithoutTransaction { database in
                try ["synchronous", "foreign_keys", "cell_size_check", "trusted_schema"].map {
                    try Int.fetchOne(database, sql: "PRAGMA \($0)")
                }
            }
        }
        #expect(settings == [2, 1, 1, 0])
        #expect(try store.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        #expect(try store.read { try Int64.fetchOne($0, sql: "PRAGMA application_id") } == 0x5441_504B)
        #expect(try store.read { try Int64.fetchOne($0, sql: "PRAGMA user_version") } == StoreSchema.version)
    }

    /// Whatever the umask says: nobody else reads or writes what the store makes, and we do.
    @Test(arguments: [0, 0o022, 0o777] as [mode_t]) func filesAreClosedToOthers(umask mask: mode_t) async throws {
        let deep = folder.path("a/b/c")
        await #expect(processExitsWith: .success) { [deep = deep as String, mask = mask as mode_t] in
            umask(mask)
            let store = try SQLiteStore.open(folder: deep, clock: StoreBench.clock)
            try store.save(StoreSample.card(1))
            _exit(EXIT_SUCCESS)
        }
        for made in ["a", "a/b", "a/b/c"] { #expect(try mode(folder.path(made)) == 0o700) }
        let names = try FileManager.default.contentsOfDirectory(atPath: deep).sorted()
        #expect(names == ["store.lock", "store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
        for name in names { #expect(try mode("\(deep)/\(name)") == 0o600) }
        // Nobody said farewell: what was written is in the WAL.
        #expect(try SQLiteStore.open(folder: deep, clock: StoreBench.clock).cards().count == 1)
    }

    @Test(arguments: [0o770, 0o702, 0o777] as [mode_t]) func aFolderThatOthersMayWriteIsRefused(_ mode: mode_t) throws {
        #expect(try open().cards() == [])
        chmod(path, mode)
        for open in [
            { _ = try self.open() }, { _ = try self.openExisting() }, { _ = try StoreCheck(folder: self.path) },
        ] {
            guard case .unsafe(path, _) = error(open) else {
                Issue.record("not refused")
                return
            }
        }
        let link = folder.path("link")
        symlink(path, link)
        guard case .unsafe(path, _) = error({ _ = try SQLiteStore.open(folder: link, clock: StoreBench.clock) }) else {
            Issue.record("not refused")
            return
        }
        chmod(path, 0o755)
        #expect(try SQLiteStore.open(folder: link, clock: StoreBench.clock).cards() == [])
    }

    @Test(arguments: ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "store.lock"])
    func aFileThatOthersMayWriteIsRefused(_ name: String) throws {
        let store = try open()
        try store.save(StoreSample.card(1))
        let file = path + "/" + name
        chmod(file, 0o620)
        for open in [{ _ = try self.open() }, { _ = try self.openExisting() }] {
            guard case .unsafe(file, _) = error(open) else {
                Issue.record("not refused")
                return
            }
        }
        // What others could only read is closed to them.
        chmod(file, 0o644)
        #expect(try open().cards().count == 1)
        #expect(try mode(file) == 0o600)
    }

    @Test(arguments: ["store.sqlite", "store.sqlite-wal", "store.lock"])
    func aFileThatLeadsElsewhereIsRefused(_ name: String) throws {
        mkdir(path, 0o700)
        let elsewhere = try folder.write("", to: "elsewhere")
        symlink(elsewhere, path + "/" + name)
        guard case .unsafe = error({ _ = try open() }) else {
            Issue.record("not refused")
            return
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: elsewhere)).isEmpty)
    }

    @Test func whatBelongsToAnotherUserIsRefused() throws {
        // Root makes another's folder; anybody else finds one.
        let others = geteuid() == 0 ? path : "/usr"
        if geteuid() == 0 {
            mkdir(path, 0o700)
            #expect(chown(path, 54_321, 54_321) == 0)
        }
        guard case .unsafe = error({ _ = try SQLiteStore.open(folder: others, clock: StoreBench.clock) }) else {
            Issue.record("not refused")
            return
        }
    }

    @Test func nothingIsMadeForLooking() throws {
        #expect(try openExisting() == nil)
        #expect(try StoreCheck(folder: path) == nil)
        #expect(access(path, F_OK) != 0)
        mkdir(path, 0o700)
        #expect(try openExisting() == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
        let file = try folder.write("", to: "file")
        #expect(try SQLiteStore.openExisting(folder: file + "/x", clock: StoreBench.clock) == nil)
        guard case .notWritable = error({ _ = try SQLiteStore.open(folder: file, clock: StoreBench.clock) }) else {
            Issue.record("a file is no folder")
            return
        }
    }

    /// Killed while it was made, a store has no tables yet.
    @Test(arguments: [
        "", "PRAGMA journal_mode = WAL", "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
    ])
    func aHalfMadeStoreIsFinished(_ sql: String) throws {
        mkdir(path, 0o700)
        try Data().write(to: URL(fileURLWithPath: path + "/store.sqlite"))
        if !sql.isEmpty {
            let queue = try DatabaseQueue(path: path + "/store.sqlite")
            _ = try queue.writeWithoutTransaction { try Row.fetchAll($0, sql: sql) }
            try queue.close()
        }
        #expect(try openExisting() == nil)
        try open().save(StoreSample.card(1))
        #expect(try openExisting()?.cards().count == 1)
    }

    // MARK: Other schemas

    private func database() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path + "/store.sqlite")) }

    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path + "/store.sqlite")
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// What a later tapkit might have done, down to tables that this SQLite cannot read.
    @Test(arguments: [
        "PRAGMA user_version = \(StoreSchema.version + 1)",
        "INSERT INTO grdb_migrations VALUES ('\(StoreSchema.version + 1)')",
        """
        PRAGMA user_version = \(StoreSchema.version + 1); PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET sql = 'CREATE FANCY TABLE card' WHERE name = 'card'
        """,
    ]) func aNewerStoreIsLeftAlone(_ sql: String) throws {
        try open().save(StoreSample.card(1))
        try change(sql)
        let before = try database()
        for open in [
            { _ = try self.open() }, { _ = try self.openExisting() }, { _ = try StoreCheck(folder: self.path) },
        ] {
            #expect(error(open) == .newer(path: path + "/store.sqlite"))
        }
        #expect(try database() == before)
    }

    @Test(arguments: [
        "PRAGMA application_id = 5", "PRAGMA user_version = 1", "CREATE TABLE x (y)",
        "CREATE TABLE grdb_migrations_x (y)", "CREATE TABLE grdb_migrations (identifier)",
        "PRAGMA application_id = \(StoreSchema.applicationID)",
        """
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        CREATE TRIGGER grdb_migrations_t AFTER INSERT ON grdb_migrations BEGIN SELECT 1; END
        """,
    ])
    func anotherProgramsDatabaseIsLeftAlone(_ sql: String) throws {
        mkdir(path, 0o700)
        try change(sql)
        let before = try database()
        for open in [{ _ = try self.open() }, { _ = try self.openExisting() }] {
            guard case .unsafe = error(open) else {
                Issue.record("not refused")
                return
            }
        }
        #expect(try database() == before)
    }

    // MARK: Rows that cannot be read

    @Test(arguments: [
        "UPDATE psbt_content SET bytes = x'00'", "UPDATE psbt_content SET bytes = substr(bytes, 1, 100)",
        "DELETE FROM psbt_content", "UPDATE psbt SET id = zeroblob(32)", "UPDATE psbt SET network = 'moon'",
        "UPDATE psbt SET signed_by = 'x'", "UPDATE psbt SET amount = -1", "UPDATE psbt SET missing = 9",
        "UPDATE signature SET input = 7", "UPDATE flow SET state = '{'", "UPDATE flow SET kind = 'other'",
        "UPDATE card SET public_key = zeroblob(33)", "UPDATE card SET product = 'x'", "UPDATE card SET ident = 'x'",
        "UPDATE backup SET count = -1", "UPDATE wallet SET network = ''",
        "UPDATE wallet_transaction SET bytes = x'00'", "UPDATE wallet_transaction SET id = zeroblob(32)",
        "UPDATE wallet_transaction SET height = -1", "UPDATE wallet_script SET number = -1",
        "UPDATE wallet_coin SET number = 4294967296", "UPDATE wallet_coin SET descriptor = -1",
        "UPDATE wallet_transaction SET height = 500000000", "UPDATE wallet_coin SET height = 1000000000000000000",
        "UPDATE wallet_sync SET height = 9223372036854775807", "UPDATE wallet_sync SET time = 9223372036854775807",
    ]) func whatCannotBeReadIsSaid(_ sql: String) throws {
        let store = try open()
        try StoreSample.fill(store)
        #expect(try StoreCheck(folder: path)?.problems == [])
        try store.write { try $0.execute(sql: sql) }
        let problems = try #require(try StoreCheck(folder: path)).problems
        #expect(problems.count == 1, "\(problems)")
        var faults: [StoreError] = []
        for read in StoreSample.reads(store) {
            if let fault = error(read) { faults.append(fault) }
        }
        for fault in faults {
            guard case .unreadable = fault else {
                Issue.record("\(fault)")
                return
            }
        }
        // Only the check compares lists with PSBTs, and no flow depends on its journal.
        let isSilent = ["missing", "psbt SET id = zeroblob", "flow"].contains { sql.contains($0) }
        #expect(faults.isEmpty == isSilent)
        #expect(access(store.path, F_OK) == 0)
    }

    @Test func errorsHoldNoValues() throws {
        let store = try open()
        let psbt = try StoreSample.psbt()
        let nul = try #require(error { _ = try store.merge(psbt, note: "geheim\0", at: 1) })
        guard case .failed = nul else {
            Issue.record("\(nul)")
            return
        }
        #expect(try store.transactionCount() == 0)
        try store.write { try $0.execute(sql: "DROP TABLE psbt_content") }
        let broken = try #require(error { _ = try store.merge(psbt, note: "geheim", at: 1) })
        for fault in [nul, broken] { #expect(!"\(fault)".contains("geheim")) }
    }

    /// Another process that writes for longer than we wait.
    @Test func aBusyStoreIsSaidToBeBusy() async throws {
        let (one, two) = (try open(), try open())
        let (fault, seen) = try await BlockingThread.run {
            var (fault, seen): (StoreError?, [CardRecord]?)
            try one.use { pool in
                try pool.writeWithoutTransaction { database in
                    try database.inTransaction(.immediate) {
                        fault = self.error { try two.save(StoreSample.card(1)) }
                        seen = try two.cards()
                        return .commit
                    }
                }
            }
            return (fault, seen)
        }
        #expect(seen == [])
        #expect(fault == .busy(path: two.path))
        try two.save(StoreSample.card(1))
        #expect(try one.cards().count == 1)
    }
}
