import Bitcoin
import FoundationEssentials
import GRDB

extension SQLiteStore {
    /// `nil` for a wallet that was never synchronized, or does not exist.
    package func chain(of wallet: String) throws(StoreError) -> WalletChain? {
        try read { database in try Self.chain(of: StoredValue.text(wallet), in: database) }
    }

    /// A chain server's last answer about a wallet.
    static func chain(of wallet: String, in database: Database) throws -> WalletChain? {
        func rows(_ table: String, _ order: String) throws -> [Row] {
            try Row.fetchAll(
                database, sql: "SELECT * FROM \(table) WHERE wallet = ? ORDER BY \(order)", arguments: [wallet])
        }
        guard let row = try rows("wallet_sync", "wallet").first else { return nil }
        let subject = "wallet \(wallet)"
        let head = StoredRow(row, subject)
        return WalletChain(
            network: try head.decoded("network", head.text("network")) { Network(rawValue: $0) },
            server: try head.text("server"), height: try head.height("height"), time: try head.calendarTime("time"),
            hasHistory: try head.flag("has_history"), areSpendsProven: try head.flag("spends_proven"),
            knowsUnconfirmed: try head.flag("knows_unconfirmed"),
            scripts: try rows("wallet_script", "descriptor, branch, number").map {
                try WalletChain.KnownScript(row: StoredRow($0, "a script of \(subject)"))
            },
            transactions: try rows("wallet_transaction", "rowid").map {
                try WalletTransaction(row: StoredRow($0, "a transaction of \(subject)"))
            },
            coins: try rows("wallet_coin", "coin").map {
                try WalletCoin(row: StoredRow($0, "a coin of \(subject)"))
            })
    }

    /// Does not replace a later answer. Throws `.noSuchWallet` if the wallet is gone, or is a different one of the same
    /// name.
    package func save(_ chain: WalletChain, of wallet: StoredWallet, at time: UnixTime) throws(StoreError) {
        try write { database in
            let name = try StoredValue.text(wallet.name)
            try Self.require(wallet, in: database)
            let present = try Int64.fetchOne(
                database, sql: "SELECT time FROM wallet_sync WHERE wallet = ? AND network = ?",
                arguments: [name, chain.network.rawValue])
            if let present, present > chain.time.seconds, present <= time.seconds { return }
            // Deletes everything that belongs to the earlier answer.
            try database.execute(sql: "DELETE FROM wallet_sync WHERE wallet = ?", arguments: [name])
            try database.execute(
                sql: """
                    INSERT INTO wallet_sync
                        (wallet, network, server, height, time, has_history, spends_proven, knows_unconfirmed)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    name, chain.network.rawValue, try StoredValue.text(chain.server), chain.height, chain.time.seconds,
                    chain.hasHistory, chain.areSpendsProven, chain.knowsUnconfirmed,
                ])
            try Self.put(chain.scripts, of: name, in: database)
            try Self.put(chain.transactions, of: name, in: database)
            try Self.put(chain.coins, of: name, in: database)
        }
    }

    private static func put(_ scripts: [WalletChain.KnownScript], of name: String, in database: Database) throws {
        let insertion = try database.cachedStatement(
            sql: """
                INSERT INTO wallet_script (wallet, descriptor, branch, number, script, is_used)
                VALUES (?, ?, ?, ?, ?, ?)
                """)
        for known in scripts {
            try insertion.execute(
                arguments: [
                    name, known.place.descriptor, known.place.branch, known.place.index, Data(known.script.bytes),
                    known.isUsed,
                ])
        }
    }

    private static func put(_ transactions: [WalletTransaction], of name: String, in database: Database) throws {
        let insertion = try database.cachedStatement(
            sql: "INSERT INTO wallet_transaction (wallet, id, height, bytes, time) VALUES (?, ?, ?, ?, ?)")
        for entry in transactions {
            try insertion.execute(
                arguments: [
                    name, entry.id.stored, entry.height, Data(entry.transaction.serialized()), entry.time?.seconds,
                ])
        }
    }

    private static func put(_ coins: [WalletCoin], of name: String, in database: Database) throws {
        let insertion = try database.cachedStatement(
            sql: """
                INSERT INTO wallet_coin
                    (wallet, coin, value, script, descriptor, branch, number, height, is_coinbase)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for coin in coins {
            try insertion.execute(
                arguments: [
                    name, coin.outpoint.stored, coin.output.value, Data(coin.output.scriptPubKey.bytes),
                    coin.place.descriptor, coin.place.branch, coin.place.index, coin.height, coin.isCoinbase,
                ])
        }
    }
}

extension WalletPlace {
    fileprivate init(row: StoredRow) throws {
        self.init(
            descriptor: try row.count("descriptor"), branch: try row.count("branch"),
            index: try row.decoded("number", row.integer("number")) { number in
                UInt32(exactly: number).flatMap { $0 >> 31 == 0 ? $0 : nil }
            })
    }
}

extension WalletChain.KnownScript {
    fileprivate init(row: StoredRow) throws {
        self.init(
            place: try WalletPlace(row: row), script: Script(try row.bytes("script")), isUsed: try row.flag("is_used"))
    }
}

extension WalletTransaction {
    fileprivate init(row: StoredRow) throws {
        let id = try TransactionID(row: row)
        // Stored transactions prove coins: they were hashed when they arrived, and are hashed again.
        let transaction = try row.decoded("bytes", row.bytes("bytes")) { try? Transaction(serialized: $0) }
        guard transaction.id == id else { throw row.unreadable("its bytes are a different transaction's") }
        self.init(
            transaction: transaction, id: id, height: try row.optionalHeight("height"),
            time: try row.optionalTime("time"))
    }
}

extension WalletCoin {
    fileprivate init(row: StoredRow) throws {
        self.init(
            outpoint: try Outpoint(row: row),
            output: TransactionOutput(
                value: try row.integer("value"), scriptPubKey: Script(try row.bytes("script"))),
            place: try WalletPlace(row: row), height: try row.optionalHeight("height"),
            isCoinbase: try row.flag("is_coinbase"))
    }
}

extension StoredRow {
    /// A block's height, as lock times can say it.
    fileprivate func height(_ column: String) throws -> Int {
        let height = try count(column)
        guard let lockTime = UInt32(exactly: height), !TimeLock.isDate(lockTime) else { throw unreadable(column) }
        return height
    }

    /// A block's height, if there is one.
    fileprivate func optionalHeight(_ column: String) throws -> Int? {
        try optionalInteger(column).map { _ in try height(column) }
    }

    /// A time in the years 1970 to 9999.
    fileprivate func calendarTime(_ column: String) throws -> UnixTime {
        let time = try time(column)
        guard 0...253_402_300_799 ~= time.seconds else { throw unreadable(column) }
        return time
    }
}
