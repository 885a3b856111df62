import Bitcoin
import ByteCodec
import FoundationEssentials
import GRDB

extension SQLiteStore {
    /// Includes every signature that was added since the PSBT was written; `nil` if there is none.
    package func transaction(_ id: TransactionID) throws(StoreError) -> StoredTransaction? {
        try read { try Self.transaction(id, in: $0)?.transaction }
    }

    /// By the time of creation, newest first; a limit or an offset below 0 counts as 0.
    package func transactions(limit: Int, offset: Int) throws(StoreError) -> [TransactionSummary] {
        try read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM psbt ORDER BY created DESC, place DESC LIMIT ? OFFSET ?",
                arguments: [max(0, limit), max(0, offset)]
            ).map(TransactionSummary.init(row:))
        }
    }

    /// Includes those that were sent.
    package func transactionCount() throws(StoreError) -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM psbt") ?? 0 }
    }

    /// At most two; none for a prefix that is not hexadecimal, in either case.
    package func transactionIDs(startingWith prefix: String) throws(StoreError) -> [TransactionID] {
        let digitCount = 64
        let prefix = prefix.lowercased()
        guard prefix.utf8.count <= digitCount else { return [] }
        let padding = digitCount - prefix.utf8.count
        guard let first = try? Hex.decode(prefix + String(repeating: "0", count: padding)),
            let last = try? Hex.decode(prefix + String(repeating: "f", count: padding))
        else { return [] }
        return try read { database in
            try Row.fetchAll(
                database, sql: "SELECT id FROM psbt WHERE id BETWEEN ? AND ? LIMIT 2",
                arguments: [Data(first), Data(last)]
            ).map { try TransactionID(row: StoredRow($0, "a transaction")) }
        }
    }

    /// `change` runs while the store is locked, and must not use it; if it throws, nothing changes.
    package func updateTransaction(
        _ id: TransactionID, _ change: (StoredTransaction?) throws(StoreError) -> StoredTransaction
    ) throws(StoreError) -> StoredTransaction {
        try write { database in
            let stored = try Self.transaction(id, in: database)
            let changed = try change(stored?.transaction)
            guard changed.id == id else { throw StoreError.contradiction(id, .otherTransaction(changed.id)) }
            try Self.put(changed, at: stored?.place, in: database)
            return changed
        }
    }

    /// Deletes signatures, too, and frees its coins; `false` if there was none.
    package func deleteTransaction(_ id: TransactionID) throws(StoreError) -> Bool {
        try write { database in
            try database.execute(sql: "DELETE FROM psbt WHERE id = ?", arguments: [id.stored])
            return database.changesCount > 0
        }
    }

    /// Does not rewrite the PSBT.
    package func note(_ standings: [TransactionID: ChainStanding?], at time: UnixTime) throws(StoreError) {
        guard !standings.isEmpty else { return }
        try write { database in
            let statement = try database.cachedStatement(
                sql: "UPDATE psbt SET height = ?, tip = ?, replaced_by = ? WHERE id = ?")
            for (id, standing) in standings {
                try statement.execute(arguments: [
                    standing?.height, standing?.tip, standing?.replacedBy?.stored, id.stored,
                ])
                if let standing, standing.replacedBy == nil { try Self.noteSeen(id, at: time, in: database) }
            }
        }
    }

    /// Skips those that are not stored.
    package func noteSeen(_ ids: Set<TransactionID>, at time: UnixTime) throws(StoreError) {
        guard !ids.isEmpty else { return }
        try write { database in
            for id in ids { try Self.noteSeen(id, at: time, in: database) }
        }
    }

    private static func noteSeen(_ id: TransactionID, at time: UnixTime, in database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE psbt SET offered = ? WHERE id = ? AND sent IS NULL AND offered IS NULL"
        ).execute(arguments: [time.seconds, id.stored])
    }

    /// Stores many transactions that are not stored yet, all or none: for benchmarks.
    @_spi(Figures) public func insert(_ transactions: some Sequence<StoredTransaction>) throws(StoreError) {
        try write { database in
            for transaction in transactions { try Self.put(transaction, at: nil, in: database) }
        }
    }

    /// A transaction with every signature.
    static func transaction(
        _ id: TransactionID, in database: Database
    ) throws -> (place: Int64, transaction: StoredTransaction)? {
        let row = try Row.fetchOne(
            database, sql: "SELECT * FROM psbt LEFT JOIN psbt_content USING (place) WHERE id = ?",
            arguments: [id.stored])
        return try row.map { try Self.transaction(row: $0, in: database) }
    }

    /// A transaction with every signature, from its row of both tables.
    static func transaction(
        row: Row, in database: Database
    ) throws -> (place: Int64, transaction: StoredTransaction) {
        let named = StoredRow(row, "a transaction")
        let id = try TransactionID(row: named)
        let row = StoredRow(row, "transaction \(id)")
        let place = try row.integer("place")
        var psbt: PSBT
        do throws(PSBTError) { psbt = try PSBT(fileContent: row.bytesOrNone("bytes")) } catch {
            throw row.unreadable("its PSBT: \(error)")
        }
        guard psbt.unsignedTransaction.id == id else { throw row.unreadable("its PSBT is for a different transaction") }
        try Self.addSignatures(to: &psbt, at: place, of: row.subject, in: database)
        let transaction = StoredTransaction(
            psbt: psbt, network: try row.network("network"), wallet: try row.optionalText("wallet"),
            note: try row.text("note"), created: try row.time("created"), updated: try row.time("updated"),
            sent: try row.optionalTime("sent"), offered: try row.optionalTime("offered"),
            drains: try row.flag("drains"), standing: try ChainStanding(row: row))
        return (place, transaction)
    }

    /// Writes a transaction, with all its signatures in the PSBT.
    static func put(_ transaction: StoredTransaction, at place: Int64?, in database: Database) throws {
        let tally = SignatureTally(transaction.psbt)
        let summary = transaction.summary(tally)
        try database.execute(
            sql: """
                INSERT INTO psbt (place, id, network, wallet, note, amount, fee, signed_by, missing, is_understood,
                    input_count, created, updated, sent, offered, drains, height, tip, replaced_by)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (place) DO UPDATE SET
                    network = excluded.network, wallet = excluded.wallet, note = excluded.note,
                    amount = excluded.amount, fee = excluded.fee, signed_by = excluded.signed_by,
                    missing = excluded.missing, is_understood = excluded.is_understood,
                    created = excluded.created, updated = excluded.updated, sent = excluded.sent,
                    offered = excluded.offered, height = excluded.height, tip = excluded.tip, replaced_by = excluded.replaced_by
                """,
            arguments: [
                place, summary.id.stored, summary.network?.rawValue, try StoredValue.text(ifAny: summary.wallet),
                try StoredValue.text(summary.note), summary.amount?.satoshis, summary.fee?.satoshis,
                summary.signedBy.stored, summary.missing, tally.isUnderstood, transaction.psbt.inputs.count,
                summary.created.seconds, summary.updated.seconds, summary.sent?.seconds, summary.offered?.seconds,
                transaction.drains, transaction.standing?.height, transaction.standing?.tip,
                transaction.standing?.replacedBy?.stored,
            ])
        let isNew = place == nil
        let place = place ?? database.lastInsertedRowID
        // The id depends on which coins are spent, so they never change.
        if isNew { try putCoins(of: transaction.psbt.unsignedTransaction, at: place, in: database) }
        try database.execute(
            sql: """
                INSERT INTO psbt_content (place, bytes) VALUES (?, ?)
                ON CONFLICT (place) DO UPDATE SET bytes = excluded.bytes
                """,
            arguments: [place, Data(transaction.psbt.serialized())])
        if !isNew { try Self.keepSignatures(of: transaction.psbt, at: place, in: database) }
        try Self.putOpenInputs(tally.openInputs, at: place, in: database)
    }
}

extension TransactionSummary {
    /// Reads a row of `psbt`.
    init(row: Row) throws {
        let row = StoredRow(row, "a transaction")
        let missing = try row.count("missing")
        self.init(
            id: try TransactionID(row: row), network: try row.network("network"),
            wallet: try row.optionalText("wallet"), note: try row.text("note"), amount: try row.amount("amount"),
            fee: try row.amount("fee"),
            signedBy: try row.decoded("signed_by", row.text("signed_by")) { [Fingerprint](stored: $0) },
            missing: missing, isComplete: try missing == 0 && row.flag("is_understood"),
            created: try row.time("created"), updated: try row.time("updated"), sent: try row.optionalTime("sent"),
            offered: try row.optionalTime("offered"), standing: try ChainStanding(row: row))
    }
}

extension TransactionID {
    /// The id's form in the database, in the byte order that people see.
    var stored: Data { Data(bytes.reversed()) }

    /// Reads `id`.
    init(row: StoredRow) throws {
        self = try row.decoded("id", row.bytes("id")) { TransactionID($0.reversed()) }
    }
}

extension ChainStanding {
    /// Reads `height`, `tip` and `replaced_by`; `nil` if nothing is known.
    init?(row: StoredRow) throws {
        guard try row.optionalInteger("height") != nil else { return nil }
        self.init(
            height: try row.count("height"), tip: try row.count("tip"),
            replacedBy: try row.optionalBytes("replaced_by").map { bytes in
                try row.decoded("replaced_by", bytes) { TransactionID($0.reversed()) }
            })
    }
}

extension [Fingerprint] {
    /// The fingerprints' form in the database, in ascending order.
    var stored: String { map(\.description).sorted().joined(separator: " ") }

    /// Reads what `stored` wrote.
    init?(stored text: String) {
        self = []
        for part in text.split(separator: " ") {
            guard let bytes = try? Hex.decode(part), let fingerprint = Fingerprint(bytes) else { return nil }
            append(fingerprint)
        }
    }
}

extension StoredRow {
    /// A network, if there is one.
    func network(_ column: String) throws -> Network? {
        try optionalText(column).map { try decoded(column, $0) { Network(rawValue: $0) } }
    }

    /// An amount, if there is one.
    fileprivate func amount(_ column: String) throws -> Amount? {
        try optionalInteger(column).map { try decoded(column, $0) { Amount(satoshis: $0) } }
    }

    /// Bytes; empty if they are missing or something else.
    fileprivate func bytesOrNone(_ column: String) -> [UInt8] { (try? bytes(column)) ?? [] }
}
