import GRDB

/// Kits for heirs, and rehearsals with them.
///
/// - `wallet_kit.digest`: the SHA-256 of the kit's main document.
/// - `wallet_rehearsal.proven`: when a rehearsal last proved the spending path of this number, from 1.
enum Migration007: StoreMigration {
    static func run(_ database: Database) throws {
        for statement in statements { try database.execute(sql: statement) }
    }

    private static let statements = [
        """
        CREATE TABLE wallet_kit (
            wallet TEXT NOT NULL REFERENCES wallet (name) ON DELETE CASCADE,
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            written INTEGER NOT NULL,
            PRIMARY KEY (wallet, digest)
        ) STRICT, WITHOUT ROWID;
        """,
        """
        CREATE TABLE wallet_rehearsal (
            wallet TEXT NOT NULL REFERENCES wallet (name) ON DELETE CASCADE,
            path INTEGER NOT NULL CHECK (path > 0),
            proven INTEGER NOT NULL,
            PRIMARY KEY (wallet, path)
        ) STRICT, WITHOUT ROWID;
        """,
    ]
}
