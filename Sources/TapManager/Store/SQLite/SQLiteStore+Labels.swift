import GRDB

extension SQLiteStore {
    /// By type and reference.
    package func labels() throws(StoreError) -> [StoredLabel] {
        try read { try Row.fetchAll($0, sql: StoredLabel.listing).map(StoredLabel.init(row:)) }
    }

    /// All or none; what a label does not contain stays unchanged (BIP-329, "Importing").
    package func save(_ labels: [StoredLabel]) throws(StoreError) {
        try write { database in
            let insertion = try database.cachedStatement(
                sql: """
                    INSERT INTO label (type, reference, origin, label, is_spendable, line) VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT (type, reference, origin) DO UPDATE SET
                        label = CASE excluded.label WHEN '' THEN label ELSE excluded.label END,
                        is_spendable = coalesce(excluded.is_spendable, is_spendable),
                        line = coalesce(excluded.line, line)
                    """)
            for label in labels {
                try insertion.execute(
                    arguments: [
                        try StoredValue.text(label.type), try StoredValue.text(label.reference),
                        try StoredValue.text(label.origin), try StoredValue.text(label.label), label.isSpendable,
                        try StoredValue.text(ifAny: label.line),
                    ])
            }
        }
    }
}

extension StoredLabel {
    /// All, by type and reference.
    static let listing = "SELECT * FROM label ORDER BY type, reference, origin"

    /// Reads a row of `label`.
    init(row: Row) throws {
        let row = StoredRow(row, "a label")
        self.init(
            type: try row.text("type"), reference: try row.text("reference"), label: try row.text("label"),
            isSpendable: try row.optionalInteger("is_spendable").map { $0 != 0 }, origin: try row.text("origin"),
            line: try row.optionalText("line"))
    }
}
