import Bitcoin
import FoundationEssentials
import GRDB

extension SQLiteStore {
    /// Throws `.noSuchWallet` if the wallet is gone, or is a different one of the same name.
    package func noteKit(_ digest: [UInt8], of wallet: StoredWallet, at time: UnixTime) throws(StoreError) {
        try write { database in
            try Self.require(wallet, in: database)
            try Self.putKit(digest, of: try StoredValue.text(wallet.name), written: time, in: database)
        }
    }

    /// Throws `.noSuchWallet` if the wallet is gone, or is a different one of the same name.
    package func noteRehearsal(
        of wallet: StoredWallet, paths: [Int], at time: UnixTime
    ) throws(StoreError) {
        try write { database in
            try Self.require(wallet, in: database)
            let name = try StoredValue.text(wallet.name)
            for path in paths { try Self.putRehearsal(of: name, path, proven: time, in: database) }
        }
    }

    /// Replaces what is remembered about a wallet.
    static func put(_ drill: WalletDrill, of wallet: String, in database: Database) throws {
        for table in ["wallet_kit", "wallet_rehearsal"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE wallet = ?", arguments: [wallet])
        }
        for (digest, time) in drill.kits { try putKit(digest, of: wallet, written: time, in: database) }
        for (path, time) in drill.proven { try putRehearsal(of: wallet, path, proven: time, in: database) }
    }

    private static func putKit(
        _ digest: [UInt8], of wallet: String, written: UnixTime, in database: Database
    ) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO wallet_kit (wallet, digest, written) VALUES (?, ?, ?)",
            arguments: [wallet, Data(digest), written.seconds])
    }

    private static func putRehearsal(
        of wallet: String, _ path: Int, proven: UnixTime, in database: Database
    ) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO wallet_rehearsal (wallet, path, proven) VALUES (?, ?, ?)",
            arguments: [wallet, path, proven.seconds])
    }
}

extension WalletDrill {
    /// What is remembered about all wallets, by their names.
    static func all(in database: Database) throws -> [String: WalletDrill] {
        var kits: [String: [[UInt8]: UnixTime]] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT * FROM wallet_kit") {
            let row = StoredRow(row, "a kit")
            kits[try row.text("wallet"), default: [:]][try row.bytes("digest")] = try row.time("written")
        }
        var proven: [String: [Int: UnixTime]] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT * FROM wallet_rehearsal") {
            let row = StoredRow(row, "a rehearsal")
            proven[try row.text("wallet"), default: [:]][try row.count("path")] = try row.time("proven")
        }
        return Dictionary(
            uniqueKeysWithValues: Set(kits.keys).union(proven.keys).map {
                ($0, WalletDrill(kits: kits[$0] ?? [:], proven: proven[$0] ?? [:]))
            })
    }
}
