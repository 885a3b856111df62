import GRDB

/// The database's tables, by number. For each number, there is a migration from the one before.
enum StoreSchema {
    /// The application id in our databases' header: "TAPK". Spec: SQLite, "Database File Format", 1.3.
    static let applicationID: Int64 = 0x5441_504B
    /// The newest number that this program knows.
    static var version: Int64 { Int64(migrations.count) }

    /// The migrations, in order; a released one never changes.
    private static let migrations: [any StoreMigration.Type] = [
        Migration001.self, Migration002.self, Migration003.self, Migration004.self, Migration005.self,
        Migration006.self, Migration007.self, Migration008.self, Migration009.self,
    ]

    /// The kind of a database.
    enum Content: Sendable, Equatable {
        /// Nothing yet, or a store whose creation was interrupted.
        case nothing
        /// A store with the tables of this number.
        case store(version: Int64)
        /// A store of a later program.
        case newer
        /// Another program's database.
        case foreign
        /// A store with definitions that are not from here: what differs.
        case altered(String)
    }

    /// Whether a database is not one of ours from the future. Only reads the file's header, not its tables.
    static func isKnown(_ database: Database) throws -> Bool {
        try number("application_id", of: database) != applicationID || number("user_version", of: database) <= version
    }

    /// Examines a database.
    static func content(of database: Database) throws -> Content {
        let application = try number("application_id", of: database)
        let version = try number("user_version", of: database)
        guard application == applicationID else {
            guard application == 0, version == 0 else { return .foreign }
            return try StoreLayout(of: database).isUnmade() ? .nothing : .foreign
        }
        guard version <= Self.version else { return .newer }
        guard version > 0 else { return .foreign }
        // Before any table is read, which might be a view.
        if let fault = try StoreLayout(of: database).fault(asOf: version) { return .altered(fault) }
        return try migrator.hasBeenSuperseded(database) ? .newer : .store(version: version)
    }

    /// Migrates a database to this program's number.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (index, migration) in migrations.enumerated() {
            migrator.registerMigration(String(index + 1), foreignKeyChecks: .immediate) { database in
                try migration.run(database)
                try database.execute(sql: "PRAGMA application_id = \(applicationID)")
                try database.execute(sql: "PRAGMA user_version = \(index + 1)")
            }
        }
        return migrator
    }

    private static func number(_ pragma: String, of database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "PRAGMA \(pragma)") ?? 0
    }
}

/// One step from a numbered set of tables to the next.
protocol StoreMigration: Sendable {
    /// Creates or changes tables, within a transaction.
    static func run(_ database: Database) throws
}
