import GRDB

/// Where transactions stand in the chain, what people call their cards, and when blocks were made.
///
/// - `psbt.height`: that of the block which holds the transaction or, where it was replaced, the one that spends its coin
///   instead; `NULL`: neither is known.
/// - `psbt.tip`: how high the chain was when that was said.
/// - `psbt.replaced_by`: the id of the transaction in that block, byte-reversed as people see it; `NULL`: the transaction itself.
/// - `card.name`: what a person called it; `NULL`: nothing. Never an identity.
/// - `wallet_transaction.time`: when the block of the transaction was made, as the server said; `NULL`: not known.
enum Migration005: StoreMigration {
    static func run(_ database: Database) throws {
        for statement in statements { try database.execute(sql: statement) }
    }

    private static let statements = [
        "ALTER TABLE psbt ADD COLUMN height INTEGER CHECK (height >= 0);",
        "ALTER TABLE psbt ADD COLUMN tip INTEGER CHECK (tip >= 0);",
        "ALTER TABLE psbt ADD COLUMN replaced_by BLOB CHECK (length(replaced_by) = 32);",
        "ALTER TABLE card ADD COLUMN name TEXT;",
        "ALTER TABLE wallet_transaction ADD COLUMN time INTEGER;",
    ]
}
