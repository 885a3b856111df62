import FoundationEssentials
import GRDB
import TapProtocol

extension SQLiteStore {
    /// Stores the same ciphertext of a card only once.
    package func save(_ backup: StoredBackup) throws(StoreError) {
        try write { database in
            // A replaced row gets a new place, and becomes the last one.
            try database.execute(
                sql: "INSERT OR REPLACE INTO backup (card, ciphertext, count, created) VALUES (?, ?, ?, ?)",
                arguments: [
                    backup.card.text, Data(backup.ciphertext.bytes), backup.count,
                    backup.created.seconds,
                ])
        }
    }

    /// Newest first.
    package func backups(of card: CardIdent) throws(StoreError) -> [StoredBackup] {
        try read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM backup WHERE card = ? ORDER BY place DESC", arguments: [card.text]
            ).map(StoredBackup.init(row:))
        }
    }
}

extension StoredBackup {
    /// All, newest first.
    static let listing = "SELECT * FROM backup ORDER BY place DESC"

    /// Reads a row of `backup`.
    init(row: Row) throws {
        let row = StoredRow(row, "a backup")
        self.init(
            card: try row.decoded("card", row.text("card")) { CardIdent(parsing: $0) },
            ciphertext: try row.decoded("ciphertext", row.bytes("ciphertext")) { try? EncryptedBackup($0) },
            count: try row.count("count"),
            created: try row.time("created"))
    }
}
