import GRDB

/// Wallets that are registered with cards.
///
/// - `wallet_registration.path`, `fingerprint`: the account whose key signed.
/// - `wallet_registration.registration`: version, salt and signature; a text that is not as it was registered makes it fail,
///   so the database does not look at it.
enum Migration006: StoreMigration {
    static func run(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE wallet_registration (
                    wallet TEXT NOT NULL REFERENCES wallet (name) ON DELETE CASCADE,
                    fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 4),
                    path TEXT NOT NULL,
                    registration BLOB NOT NULL,
                    created INTEGER NOT NULL,
                    PRIMARY KEY (wallet, fingerprint, path)
                ) STRICT, WITHOUT ROWID;
                """)
    }
}
