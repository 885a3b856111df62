import Bitcoin
import GRDB

extension SQLiteStore {
    /// Throws `.coinsTaken` if another transaction spends one of its coins, unless it is replaced or conflicts with the
    /// replaced one.
    package func create(_ transaction: StoredTransaction, replacing replaced: TransactionID?) throws(StoreError) {
        try write { database in
            let taken = try Self.taken(transaction.psbt.unsignedTransaction, except: replaced, in: database)
            guard taken.isEmpty else { throw StoreError.coinsTaken(taken) }
            if let replaced {
                try database.execute(
                    sql: "DELETE FROM psbt WHERE id = ? AND sent IS NULL AND offered IS NULL",
                    arguments: [replaced.stored])
            }
            try Self.put(transaction, at: nil, in: database)
        }
    }

    /// Includes coins of sent transactions; if several spend a coin, the newest is given.
    package func takenCoins() throws(StoreError) -> [Outpoint: TransactionID] {
        try read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT id, coin FROM psbt_coin JOIN psbt USING (place) WHERE NOT \(Self.freesCoins) ORDER BY place
                    """)
            return Dictionary(
                try rows.map { row in
                    let row = StoredRow(row, "a coin of a transaction")
                    return (try Outpoint(row: row), try TransactionID(row: row))
                }, uniquingKeysWith: { _, newest in newest })
        }
    }

    /// Includes those of transactions that were replaced long ago.
    package func spenders() throws(StoreError) -> [Outpoint: Set<TransactionID>] {
        try read { database in
            var spenders: [Outpoint: Set<TransactionID>] = [:]
            let rows = try Row.fetchCursor(database, sql: "SELECT id, coin FROM psbt_coin JOIN psbt USING (place)")
            while let row = try rows.next() {
                let row = StoredRow(row, "a coin of a transaction")
                spenders[try Outpoint(row: row), default: []].insert(try TransactionID(row: row))
            }
            return spenders
        }
    }

    /// `ChainStanding.freesCoins` for a row of `psbt`.
    private static let freesCoins =
        "(replaced_by IS NOT NULL AND tip - height + 1 >= \(WalletTransaction.safeDepth))"

    /// The coins of a transaction that others spend, and which ones do.
    private static func taken(
        _ transaction: Transaction, except replaced: TransactionID?, in database: Database
    ) throws -> [Outpoint: TransactionID] {
        let statement = try database.cachedStatement(
            sql: "SELECT id FROM psbt_coin JOIN psbt USING (place) WHERE coin = ? AND NOT \(freesCoins)")
        // Of transactions that share a coin, only one can be confirmed: none of them reserves its coins.
        let rivals = try replaced.map { replaced in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT rival.id FROM psbt AS old JOIN psbt_coin AS own USING (place)
                    JOIN psbt_coin AS other ON other.coin = own.coin JOIN psbt AS rival ON rival.place = other.place
                    WHERE old.id = ?
                    """, arguments: [replaced.stored]
            ).map { try TransactionID(row: StoredRow($0, "a transaction")) }
        }
        let free = Set(rivals ?? [])
        var taken: [Outpoint: TransactionID] = [:]
        for outpoint in transaction.inputs.lazy.map(\.outpoint) {
            for row in try Row.fetchAll(statement, arguments: [outpoint.stored]) {
                let id = try TransactionID(row: StoredRow(row, "a transaction"))
                if !free.contains(id) { taken[outpoint] = id }
            }
        }
        return taken
    }

    /// Writes which coins a transaction spends.
    static func putCoins(of transaction: Transaction, at place: Int64, in database: Database) throws {
        let insertion = try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO psbt_coin (place, coin) VALUES (?, ?)")
        for input in transaction.inputs { try insertion.execute(arguments: [place, input.outpoint.stored]) }
    }
}

extension Outpoint {
    /// Reads `coin`.
    init(row: StoredRow) throws {
        self = try row.decoded("coin", row.bytes("coin")) { Outpoint(stored: $0) }
    }
}
