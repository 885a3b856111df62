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
    /// The kits of one wallet.
    static let listingOwnKits = "SELECT * FROM wallet_kit WHERE wallet = ?"

    /// The rehearsals of one wallet.
    static let listingOwnRehearsals = "SELECT * FROM wallet_rehearsal WHERE wallet = ?"

    /// What is remembered about all wallets, by their names.
    static func all(in database: Database) throws -> [String: WalletDrill] {
        var kits: [String: [[UInt8]: UnixTime]] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT * FROM wallet_kit") {
            let kit = try Self.kit(row: row)
            kits[kit.wallet, default: [:]][kit.digest] = kit.written
        }
        var proven: [String: [Int: UnixTime]] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT * FROM wallet_rehearsal") {
            let rehearsal = try Self.rehearsal(row: row)
            proven[rehearsal.wallet, default: [:]][rehearsal.path] = rehearsal.proven
        }
        return Dictionary(
            uniqueKeysWithValues: Set(kits.keys).union(proven.keys).map {
                ($0, WalletDrill(kits: kits[$0] ?? [:], proven: proven[$0] ?? [:]))
            })
    }

    /// Reads a row of `wallet_kit`.
    static func kit(row: Row) throws -> (wallet: String, digest: [UInt8], written: UnixTime) {
        let wallet = try StoredRow(row, "a kit").text("wallet")
        let row = StoredRow(row, "a kit of wallet \(wallet)")
        return (wallet, try row.bytes("digest"), try row.time("written"))
    }

    /// Reads a row of `wallet_rehearsal`.
    static func rehearsal(row: Row) throws -> (wallet: String, path: Int, proven: UnixTime) {
        let wallet = try StoredRow(row, "a rehearsal").text("wallet")
        let row = StoredRow(row, "a rehearsal of wallet \(wallet)")
        return (wallet, try row.count("path"), try row.time("proven"))
    }
}
