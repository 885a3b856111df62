import Bitcoin
import FoundationEssentials
import GRDB
import TapProtocol

extension SQLiteStore {
    /// What `Store` says.
    public func card(_ ident: CardIdent) throws(StoreError) -> CardRecord? {
        try read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM card WHERE ident = ?", arguments: [ident.text])
                .map(CardRecord.init(row:))
        }
    }

    /// What `Store` says.
    public func cards() throws(StoreError) -> [CardRecord] {
        try read { try Row.fetchAll($0, sql: CardRecord.listing).map(CardRecord.init(row:)) }
    }

    /// What `Store` says.
    public func save(_ card: CardRecord) throws(StoreError) {
        try write { database in
            try database.execute(
                sql: """
                    INSERT INTO card (ident, public_key, product, is_testnet, fingerprint, last_seen)
                    VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT (ident) DO UPDATE SET
                        public_key = excluded.public_key, product = excluded.product,
                        is_testnet = excluded.is_testnet,
                        fingerprint = coalesce(excluded.fingerprint, fingerprint),
                        last_seen = excluded.last_seen
                    """,
                arguments: [
                    card.ident.text, Data(card.publicKey.bytes), card.product.rawValue, card.isTestnet,
                    card.fingerprint.map { Data($0.bytes) }, card.lastSeen.seconds,
                ])
        }
    }
}

extension CardRecord {
    /// All of them, the one seen last first.
    static let listing = "SELECT * FROM card ORDER BY last_seen DESC, ident"

    /// Reads a row of `card`; its ident must be the key's.
    init(row: Row) throws {
        let row = StoredRow(row, "a card")
        self.init(
            publicKey: try row.decoded("public_key", row.bytes("public_key")) { try? PublicKey($0) },
            product: try row.decoded("product", row.text("product")) { CardProduct(rawValue: $0) },
            isTestnet: try row.flag("is_testnet"),
            fingerprint: try row.optionalBytes("fingerprint").map {
                try row.decoded("fingerprint", $0) { Fingerprint($0) }
            },
            lastSeen: try row.time("last_seen"))
        guard try row.text("ident") == ident.text else { throw row.unreadable("ident") }
    }
}
