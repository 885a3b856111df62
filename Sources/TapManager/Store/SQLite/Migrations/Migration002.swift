import Bitcoin
import FoundationEssentials
import GRDB

/// Chain servers' answers about wallets, coins that stored transactions spend, and which transactions were sent.
///
/// - `psbt.sent`: when the transaction was sent; `NULL`: not yet.
/// - `psbt.drains`: whether its only output takes everything that its coins are worth, minus the fee.
/// - `label.line`: the line of the label file, if it has more than the other columns.
/// - `psbt_coin.coin`: what an input spends: 32 bytes of transaction id in internal order, 4 bytes of index,
///   big-endian.
/// - `wallet_…`: the last answer about a wallet (`WalletChain`), replaced by the next one.
enum Migration002: StoreMigration {
    static func run(_ database: Database) throws {
        for statement in statements { try database.execute(sql: statement) }
        try fillCoins(database)
    }

    private static let statements = [
        "ALTER TABLE psbt ADD COLUMN sent INTEGER;",
        "ALTER TABLE psbt ADD COLUMN drains INTEGER NOT NULL DEFAULT 0 CHECK (drains IN (0, 1));",
        "ALTER TABLE label ADD COLUMN line TEXT;",
        """
        CREATE TABLE psbt_coin (
            place INTEGER NOT NULL REFERENCES psbt (place) ON DELETE CASCADE,
            coin BLOB NOT NULL CHECK (length(coin) = 36),
            PRIMARY KEY (place, coin)
        ) STRICT, WITHOUT ROWID;
        """,
        "CREATE INDEX psbt_coin_by_coin ON psbt_coin (coin);",
        """
        CREATE TABLE wallet_sync (
            wallet TEXT NOT NULL PRIMARY KEY REFERENCES wallet (name) ON DELETE CASCADE,
            network TEXT NOT NULL,
            server TEXT NOT NULL,
            height INTEGER NOT NULL CHECK (height >= 0),
            time INTEGER NOT NULL,
            has_history INTEGER NOT NULL CHECK (has_history IN (0, 1))
        ) STRICT;
        """,
        """
        CREATE TABLE wallet_script (
            wallet TEXT NOT NULL REFERENCES wallet_sync (wallet) ON DELETE CASCADE,
            descriptor INTEGER NOT NULL,
            branch INTEGER NOT NULL,
            number INTEGER NOT NULL,
            script BLOB NOT NULL,
            is_used INTEGER NOT NULL CHECK (is_used IN (0, 1)),
            PRIMARY KEY (wallet, descriptor, branch, number)
        ) STRICT, WITHOUT ROWID;
        """,
        """
        CREATE TABLE wallet_transaction (
            wallet TEXT NOT NULL REFERENCES wallet_sync (wallet) ON DELETE CASCADE,
            id BLOB NOT NULL CHECK (length(id) = 32),
            height INTEGER,
            bytes BLOB NOT NULL,
            PRIMARY KEY (wallet, id)
        ) STRICT;
        """,
        """
        CREATE TABLE wallet_coin (
            wallet TEXT NOT NULL REFERENCES wallet_sync (wallet) ON DELETE CASCADE,
            coin BLOB NOT NULL CHECK (length(coin) = 36),
            value INTEGER NOT NULL,
            script BLOB NOT NULL,
            descriptor INTEGER NOT NULL,
            branch INTEGER NOT NULL,
            number INTEGER NOT NULL,
            height INTEGER,
            is_coinbase INTEGER NOT NULL CHECK (is_coinbase IN (0, 1)),
            PRIMARY KEY (wallet, coin)
        ) STRICT, WITHOUT ROWID;
        """,
    ]

    /// The coins of existing transactions. One that cannot be read reserves none.
    private static func fillCoins(_ database: Database) throws {
        let insertion = try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO psbt_coin (place, coin) VALUES (?, ?)")
        let rows = try Row.fetchCursor(database, sql: "SELECT place, bytes FROM psbt_content")
        while let row = try rows.next() {
            let place: Int64 = row["place"]
            guard let bytes = row["bytes"] as Data?, let psbt = try? PSBT(fileContent: Array(bytes)) else { continue }
            for input in psbt.unsignedTransaction.inputs {
                try insertion.execute(arguments: [place, input.outpoint.stored])
            }
        }
    }
}
