import GRDB

/// Transactions that a chain server was given, whatever it answered.
///
/// - `psbt.offered`: when that first happened; those that were sent before have only `sent`.
enum Migration008: StoreMigration {
    static func run(_ database: Database) throws {
        try database.execute(sql: "ALTER TABLE psbt ADD COLUMN offered INTEGER")
    }
}
