import Bitcoin
import FoundationEssentials
import GRDB
import TapProtocol

extension SQLiteStore {
    /// `nil` unless this card has proven a key at exactly this path.
    package func provenAccount(
        of cardKey: PublicKey, at path: DerivationPath
    ) throws(StoreError) -> ProvenAccount? {
        try read { database in
            try Row.fetchOne(
                database, sql: "SELECT * FROM account WHERE card = ? AND path = ?",
                arguments: [CardIdent(of: cardKey).text, path.description]
            ).map(ProvenAccount.init(row:))
        }
    }

    /// By the text of the path.
    package func provenAccounts(of cardKey: PublicKey) throws(StoreError) -> [ProvenAccount] {
        try read { try Self.provenAccounts(of: cardKey, in: $0) }
    }

    static func provenAccounts(of cardKey: PublicKey, in database: Database) throws -> [ProvenAccount] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM account WHERE card = ? ORDER BY path",
            arguments: [CardIdent(of: cardKey).text]
        ).map(ProvenAccount.init(row:))
    }

    /// Replaces what was proven at the same path of the card.
    package func save(_ account: ProvenAccount) throws(StoreError) {
        try write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO account (card, card_key, path, xpub, proven) VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    CardIdent(of: account.cardKey).text, Data(account.cardKey.bytes), account.path.description,
                    account.key.text, account.proven.seconds,
                ])
        }
    }
}

extension ProvenAccount {
    /// All, by card and path.
    static let listing = "SELECT * FROM account ORDER BY card, path"

    /// Reads a row of `account`; its ident must match the key, and the extended key must be possible at the path.
    init(row: Row) throws {
        let row = StoredRow(row, "a proven account")
        let cardKey = try row.decoded("card_key", row.bytes("card_key")) { try? PublicKey($0) }
        let path = try row.decoded("path", row.text("path")) { try? DerivationPath(parsing: $0) }
        self.init(
            cardKey: cardKey, path: path,
            key: try row.decoded("xpub", row.text("xpub")) { try? ExtendedPublicKey(parsing: $0) },
            proven: try row.time("proven"))
        guard try row.text("card") == CardIdent(of: cardKey).text else { throw row.unreadable("card") }
        guard Int(key.depth) == path.steps.count else { throw row.unreadable("xpub") }
    }
}
