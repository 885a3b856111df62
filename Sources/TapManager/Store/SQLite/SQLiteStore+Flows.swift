import GRDB
import TapProtocol

extension SQLiteStore {
    /// Most recently started first, without entries that no flow can have written.
    package func flows(of card: CardIdent) throws(StoreError) -> [FlowEntry] {
        try read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM flow WHERE card = ? ORDER BY place DESC", arguments: [card.text]
            ).compactMap { try? FlowEntry(row: $0) }
        }
    }

    /// For all cards, most recently started first, without entries that no flow can have written.
    package func flows() throws(StoreError) -> [FlowEntry] {
        try read { database in
            try Row.fetchAll(database, sql: FlowEntry.listing).compactMap {
                try? FlowEntry(row: $0)
            }
        }
    }

    /// Replaces the entry of the same flow of the card, except for its start time.
    package func record(_ state: FlowState, of card: CardIdent, at time: UnixTime) throws(StoreError) {
        try write { database in
            try database.execute(
                sql: """
                    INSERT INTO flow (card, kind, state, created, updated) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (card, kind) DO UPDATE SET state = excluded.state, updated = excluded.updated
                    """,
                arguments: [card.text, state.kind.rawValue, state.json, time.seconds, time.seconds])
        }
    }

    /// Does nothing if there is no such entry.
    package func finish(_ kind: FlowKind, of card: CardIdent) throws(StoreError) {
        try write { database in
            try database.execute(
                sql: "DELETE FROM flow WHERE card = ? AND kind = ?", arguments: [card.text, kind.rawValue])
        }
    }
}

extension FlowEntry {
    /// All, most recently started first.
    static let listing = "SELECT * FROM flow ORDER BY place DESC"

    /// Reads a row of `flow`.
    init(row: Row) throws {
        let flow = StoredRow(row, "a flow")
        let card = try flow.decoded("card", flow.text("card")) { CardIdent(parsing: $0) }
        let row = StoredRow(row, "a flow of card \(card)")
        let kind = try row.decoded("kind", row.text("kind")) { FlowKind(rawValue: $0) }
        self.init(
            card: card, state: try row.decoded("state", row.text("state")) { FlowState(kind, json: $0) },
            created: try row.time("created"), updated: try row.time("updated"))
    }
}
