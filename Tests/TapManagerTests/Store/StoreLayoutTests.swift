import Foundation
import GRDB
import TestSupport
import Testing

@testable import TapManager

/// A store that defines anything but what the migrations make is not used: a trigger would decide what is stored later.
@Suite struct StoreLayoutTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("data")
    }

    private func open() throws -> SQLiteStore { try SQLiteStore.open(folder: path, clock: StoreBench.clock) }

    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path + "/store.sqlite")
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// The digest in the source is that of the newest tables; a new migration changes it.
    @Test func theDigestIsThatOfTheNewestTables() throws {
        #expect(try StoreLayout.made(upTo: StoreSchema.version).digest == StoreLayout.usualDigest)
    }

    /// Whichever release made it: after the rest of the migrations, nothing differs from a new one.
    @Test func olderStoresAreTakenOver() throws {
        #expect(mkdir(path, 0o700) == 0)
        for version in 1...StoreSchema.version {
            try? FileManager.default.removeItem(atPath: path)
            #expect(mkdir(path, 0o700) == 0)
            let queue = try DatabaseQueue(path: path + "/store.sqlite")
            try StoreSchema.migrator.migrate(queue, upTo: "\(version)")
            #expect(try queue.read { try StoreSchema.content(of: $0) } == .store(version: version))
            try queue.close()
            let store = try open()
            #expect(try store.read { try StoreSchema.content(of: $0) } == .store(version: StoreSchema.version))
            #expect(try store.read { try StoreLayout(of: $0) } == StoreLayout.made(upTo: StoreSchema.version))
            #expect(try StoreCheck(folder: path)?.problems == [])
        }
    }

    @Test(arguments: [
        (
            """
            CREATE TRIGGER t AFTER INSERT ON wallet_descriptor BEGIN
            UPDATE wallet_descriptor SET descriptor = 'thief' WHERE wallet = new.wallet; END
            """, "it defines the trigger t, which is not part of a store"
        ),
        ("CREATE VIEW v AS SELECT * FROM card", "it defines the view v, which is not part of a store"),
        ("CREATE TABLE t (x UNIQUE)", "it defines the table t, which is not part of a store"),
        (
            "CREATE UNIQUE INDEX only_one ON label (type)",
            "it defines the index only_one, which is not part of a store"
        ),
        ("ALTER TABLE label ADD COLUMN x TEXT AS ('y')", "the table label was changed"),
        (
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = replace(sql, 'ON DELETE CASCADE', 'ON DELETE SET NULL')
            WHERE name = 'signature'
            """, "the table signature was changed"
        ),
        (
            "DROP TABLE card; CREATE VIEW card AS SELECT 1 AS ident",
            "it defines the view card, which is not part of a store"
        ),
        ("DROP TABLE wallet_kit", "it lacks the table wallet_kit"),
        ("DROP INDEX psbt_newest", "it lacks the index psbt_newest"),
        (
            """
            ANALYZE; PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = 'CREATE TABLE sqlite_stat1(tbl,idx,stat CHECK (stat <> 1))'
            WHERE name = 'sqlite_stat1'
            """, "it defines the table sqlite_stat1, which is not part of a store"
        ),
        ("CREATE TABLE \"\u{1B}[2J\" (x)", "it defines something that is not part of a store"),
    ])
    func whatDefinesSomethingElseIsRefused(_ sql: String, _ reason: String) throws {
        let used = try open()
        try StoreSample.fill(used)
        try change(sql)
        let refusal = StoreError.unsafe(path: used.path, reason: reason)
        #expect(throws: refusal) { _ = try open() }
        #expect(throws: refusal) { _ = try SQLiteStore.openExisting(folder: path, clock: StoreBench.clock) }
        #expect(throws: refusal) { _ = try SQLiteStore.openToLook(folder: path, clock: StoreBench.clock) }
        #expect(throws: refusal) { _ = try StoreCheck(folder: path) }
        // Nobody gets a copy either; the file itself stays where it is.
        #expect(throws: StoreCopyError.store(refusal)) { try used.backUp(to: folder.path("copy")) }
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path)) == ["data"])
        #expect(access(used.path, F_OK) == 0)
    }

    /// Somebody ran ANALYZE: SQLite's own tables of statistics decide nothing about what is stored.
    @Test func theStatisticsOfSQLiteAreAccepted() throws {
        try StoreSample.fill(open())
        try change("ANALYZE")
        let store = try open()
        let tables = try store.read {
            try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE name LIKE 'sqlite_stat%'")
        }
        #expect(tables.contains("sqlite_stat1"))
        #expect(try store.cards().count == 1)
        #expect(try StoreCheck(folder: path)?.problems == [])
        try store.backUp(to: folder.path("copy"))
    }

    /// A trigger that the list of definitions calls a table is a trigger anyway, or the file is damaged.
    @Test func aTriggerUnderAnotherTypeIsRefused() throws {
        try StoreSample.fill(open())
        try change(
            """
            CREATE TRIGGER t AFTER INSERT ON card BEGIN DELETE FROM signature; END;
            PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = 'table' WHERE name = 't'
            """)
        #expect(throws: StoreError.self) { _ = try open() }
    }
}
