import GRDB

/// What cards were proven to hold, and the version that each was seen with.
///
/// - `card.version`: the highest that was seen; `NULL`: remembered before versions were.
/// - `card.fingerprint`: from now on only proven ones are written; one from before tells no more than which card may help.
/// - `account.path`: as people write it, `m/84h/0h/0h`; `account.xpub`: in Base58Check, its parent fingerprint zero.
enum Migration003: StoreMigration {
    static func run(_ database: Database) throws {
        for statement in statements { try database.execute(sql: statement) }
    }

    private static let statements = [
        "ALTER TABLE card ADD COLUMN version TEXT;",
        """
        CREATE TABLE account (
            card TEXT NOT NULL,
            card_key BLOB NOT NULL CHECK (length(card_key) = 33),
            path TEXT NOT NULL,
            xpub TEXT NOT NULL,
            proven INTEGER NOT NULL,
            PRIMARY KEY (card, path)
        ) STRICT, WITHOUT ROWID;
        """,
    ]
}
