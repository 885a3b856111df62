import Bitcoin
import FoundationEssentials
import GRDB
import TapProtocol

extension SQLiteStore {
    /// `nil` if the card was never saved.
    package func card(_ ident: CardIdent) throws(StoreError) -> CardRecord? {
        try read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM card WHERE ident = ?", arguments: [ident.text])
                .map(CardRecord.init(row:))
        }
    }

    /// Most recently seen first; then by ident.
    package func cards() throws(StoreError) -> [CardRecord] {
        try read { try Self.cards(in: $0) }
    }

    static func cards(in database: Database) throws -> [CardRecord] {
        try Row.fetchAll(database, sql: CardRecord.listing).map(CardRecord.init(row:))
    }

    /// `false` if the card was never saved.
    package func name(_ card: CardIdent, _ name: String?) throws(StoreError) -> Bool {
        try write { database in
            try database.execute(
                sql: "UPDATE card SET name = ? WHERE ident = ?",
                arguments: [try StoredValue.text(ifAny: name), card.text])
            return database.changesCount > 0
        }
    }

    /// An earlier record completes this one: a fingerprint, a name or a higher version is never lost.
    package func save(_ card: CardRecord) throws(StoreError) {
        try write { database in
            // An unreadable earlier row must not prevent a card from being remembered.
            let earlier = try? Row.fetchOne(
                database, sql: "SELECT * FROM card WHERE ident = ?", arguments: [card.ident.text]
            ).map(CardRecord.init(row:))
            let card = card.completed(by: earlier)
            try database.execute(
                sql: """
                    INSERT INTO card (ident, public_key, product, is_testnet, version, fingerprint, last_seen, name)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (ident) DO UPDATE SET
                        public_key = excluded.public_key, product = excluded.product,
                        is_testnet = excluded.is_testnet, version = excluded.version,
                        fingerprint = coalesce(excluded.fingerprint, fingerprint),
                        last_seen = excluded.last_seen, name = coalesce(excluded.name, name)
                    """,
                arguments: [
                    card.ident.text, Data(card.publicKey.bytes), card.product.rawValue, card.isTestnet,
                    card.version?.description, card.fingerprint.map { Data($0.bytes) }, card.lastSeen.seconds,
                    try StoredValue.text(ifAny: card.name),
                ])
        }
    }

    /// Deletes proven accounts with the card; backups, transactions and unfinished flows stay.
    package func forgetCard(_ ident: CardIdent) throws(StoreError) -> Bool {
        try write { database in
            var rows = 0
            for table in ["card", "account"] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE \(table == "card" ? "ident" : "card") = ?", arguments: [ident.text]
                )
                rows += database.changesCount
            }
            return rows > 0
        }
    }
}

extension CardRecord {
    /// All, most recently seen first.
    static let listing = "SELECT * FROM card ORDER BY last_seen DESC, ident"

    /// Reads a row of `card`; its ident must match the key.
    init(row: Row) throws {
        let row = StoredRow(row, "a card")
        self.init(
            publicKey: try row.decoded("public_key", row.bytes("public_key")) { try? PublicKey($0) },
            product: try row.decoded("product", row.text("product")) { CardProduct(rawValue: $0) },
            isTestnet: try row.flag("is_testnet"),
            version: try row.optionalText("version").map {
                try row.decoded("version", $0) { AppletVersion(parsing: $0) }
            },
            fingerprint: try row.optionalBytes("fingerprint").map {
                try row.decoded("fingerprint", $0) { Fingerprint($0) }
            },
            lastSeen: try row.time("last_seen"), name: try row.optionalText("name"))
        guard try row.text("ident") == ident.text else { throw row.unreadable("ident") }
    }
}
