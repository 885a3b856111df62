import GRDB

/// Whether a chain server's answer about a wallet was proven as far as possible.
///
/// - `wallet_sync.spends_proven`: whether every transaction that spends a coin of the wallet is proven to be allowed
///   to; false for answers from before this check.
enum Migration004: StoreMigration {
    static func run(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE wallet_sync
                ADD COLUMN spends_proven INTEGER NOT NULL DEFAULT 0 CHECK (spends_proven IN (0, 1));
                """)
    }
}
