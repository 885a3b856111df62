import GRDB

/// Whether what a chain server said of a wallet was proven as far as it can be.
///
/// - `wallet_sync.spends_proven`: whether every transaction that spends a coin of the wallet's was found to be allowed to; not
///   for what was said before that was looked at.
enum Migration004: StoreMigration {
    static func run(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE wallet_sync
                ADD COLUMN spends_proven INTEGER NOT NULL DEFAULT 0 CHECK (spends_proven IN (0, 1));
                """)
    }
}
