import GRDB

/// The state of transactions in the chain, the user's names for cards, and blocks' times.
///
/// - `psbt.height`: that of the block with the transaction or, if it was replaced, with the one that spends its coin
///   instead; `NULL`: neither is known.
/// - `psbt.tip`: the chain's height at the time of the answer.
/// - `psbt.replaced_by`: the id of the transaction in that block, in the byte order that people see; `NULL`: the
///   transaction itself.
/// - `card.name`: the user's name for it; `NULL`: none. Never an identity.
/// - `wallet_transaction.time`: when the transaction's block was mined, according to the server; `NULL`: unknown.
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
