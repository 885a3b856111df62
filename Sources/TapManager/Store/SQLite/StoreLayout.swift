import Bitcoin
import GRDB

/// What a database defines: its tables and indexes in SQLite's words, and whatever else there is.
///
/// A trigger, a view, or a table with other constraints acts whenever rows are read or written: whoever could write to
/// the file once would decide what is stored later. So a store must define what the migrations make, and nothing else
/// but the tables in which SQLite's ANALYZE puts its statistics: those only affect how fast rows are found.
struct StoreLayout: Sendable, Equatable {
    /// One of them; `sql` is empty for the indexes that constraints need.
    private struct Definition: Sendable, Hashable {
        let type: String
        let name: String
        let table: String
        let sql: String

        init(row: Row) throws {
            let row = StoredRow(row, "a definition")
            (type, name) = (try row.text("type"), try row.text("name"))
            (table, sql) = (try row.text("tbl_name"), try row.text("sql"))
        }

        /// Whether it is one of the tables of ANALYZE, exactly as SQLite makes them: without constraints.
        var isStatistics: Bool {
            guard type == "table", name == table, let columns = StoreLayout.statisticsColumns[name] else {
                return false
            }
            return sql == "CREATE TABLE \(name)(\(columns))"
        }

        /// Its type and name, unless those are made to deceive.
        var plainName: String? {
            let types = ["table", "index", "trigger", "view"]
            guard types.contains(type), name.utf8.count <= StoreLayout.longestName else { return nil }
            let isPlain = name.unicodeScalars.allSatisfy {
                "a"..."z" ~= $0 || "A"..."Z" ~= $0 || "0"..."9" ~= $0 || $0 == "_"
            }
            return isPlain ? "the \(type) \(name)" : nil
        }
    }

    private static let longestName = 64
    /// The tables that ANALYZE makes, with their columns. SQLite reserves the names; indexes and triggers of theirs
    /// would be definitions of their own. Spec: SQLite, "Database File Format", 2.6.
    private static let statisticsColumns = [
        "sqlite_stat1": "tbl,idx,stat", "sqlite_stat4": "tbl,idx,neq,nlt,ndlt,sample",
    ]
    /// The digest of what all migrations make. It only spares a start from running them to compare: they are run if it
    /// differs, as another SQLite may word something differently.
    static let usualDigest = "8e1f9883e0acee428975b41d7bb5b5eb8212f2169777f0800675c0c09e8aa220"

    /// In the order of their texts; without SQLite's statistics.
    private let definitions: [Definition]

    /// Reads what a database defines, except statistics, and nothing of the rows in it.
    init(of database: Database) throws {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT type, name, tbl_name, ifnull(sql, '') AS sql FROM sqlite_master ORDER BY 1, 2, 3, 4")
        definitions = try rows.map(Definition.init).filter { !$0.isStatistics }
    }

    /// What the migrations up to this number make.
    static func made(upTo version: Int64) throws -> StoreLayout {
        let queue = try DatabaseQueue()
        try StoreSchema.migrator.migrate(queue, upTo: String(version))
        return try queue.read(StoreLayout.init)
    }

    /// The SHA-256 of all definitions, in hexadecimal.
    var digest: String {
        let texts = definitions.flatMap { [$0.type, $0.name, $0.table, $0.sql] }
        // No text of SQLite's contains a NUL.
        return Digest(hashing: texts.joined(separator: "\0").utf8).description
    }

    /// Whether nothing is defined yet, or only the list of migrations, which comes first.
    func isUnmade() throws -> Bool {
        if definitions.isEmpty { return true }
        return try definitions == Self.made(upTo: 1).definitions.filter { $0.table == "grdb_migrations" }
    }

    /// What differs from what the migrations up to this number make, for an error; `nil`: nothing.
    func fault(asOf version: Int64) throws -> String? {
        if version == StoreSchema.version, digest == Self.usualDigest { return nil }
        let usual = try Self.made(upTo: version)
        guard self != usual else { return nil }
        if let added = first(notIn: usual) {
            guard let name = added.plainName else { return "it defines something that is not part of a store" }
            let isUsual = usual.definitions.contains { $0.type == added.type && $0.name == added.name }
            return isUsual ? "\(name) was changed" : "it defines \(name), which is not part of a store"
        }
        return usual.first(notIn: self)?.plainName.map { "it lacks \($0)" } ?? "it defines something twice"
    }

    /// The first definition that another layout does not have; best one that is not only there for another one.
    private func first(notIn other: StoreLayout) -> Definition? {
        let others = Set(other.definitions)
        let own = definitions.filter { !others.contains($0) }
        return own.first { !$0.sql.isEmpty } ?? own.first
    }
}
