import GRDB

/// What cards have proven, and their versions.
///
/// - `card.version`: the highest that was seen; `NULL`: the card was remembered before versions were.
/// - `card.fingerprint`: from now on, only proven ones are written; an older one only hints at which card may help.
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
