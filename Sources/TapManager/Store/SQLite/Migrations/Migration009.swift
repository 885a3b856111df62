import GRDB

/// Whether a chain server also looked for transactions that are in no block yet.
///
/// - `wallet_sync.knows_unconfirmed`: of answers from before, true if the server has histories or reported such a coin:
///   others may not have looked.
enum Migration009: StoreMigration {
    static func run(_ database: Database) throws {
        for statement in statements { try database.execute(sql: statement) }
    }

    private static let statements = [
        """
        ALTER TABLE wallet_sync
        ADD COLUMN knows_unconfirmed INTEGER NOT NULL DEFAULT 0 CHECK (knows_unconfirmed IN (0, 1));
        """,
        """
        UPDATE wallet_sync SET knows_unconfirmed = 1
        WHERE has_history = 1 OR wallet IN (SELECT wallet FROM wallet_coin WHERE height IS NULL);
        """,
    ]
}
