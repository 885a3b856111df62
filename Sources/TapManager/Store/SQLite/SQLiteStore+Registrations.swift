import Bitcoin
import FoundationEssentials
import GRDB

extension SQLiteStore {
    /// Throws `.noSuchWallet` if the wallet is gone, or is a different one of the same name.
    package func add(_ registration: StoredRegistration, to wallet: StoredWallet) throws(StoreError) {
        try write { database in
            try Self.require(wallet, in: database)
            try Self.put(registration, of: try StoredValue.text(wallet.name), in: database)
        }
    }

    /// Confirms that a wallet is still the one of its name.
    static func require(_ wallet: StoredWallet, in database: Database) throws {
        let name = try StoredValue.text(wallet.name)
        let descriptors = try StoredWallet.descriptors(in: database)[name] ?? []
        guard
            try Row.fetchOne(
                database, sql: "SELECT 1 FROM wallet WHERE name = ? AND created = ?",
                arguments: [name, wallet.created.seconds]) != nil, descriptors == wallet.descriptors
        else { throw StoreError.noSuchWallet(wallet.name) }
    }

    /// Replaces the one by the same account.
    static func put(_ registration: StoredRegistration, of wallet: String, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO wallet_registration (wallet, fingerprint, path, registration, created)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                wallet, Data(registration.account.fingerprint.bytes), registration.account.path.description,
                Data(registration.bytes), registration.created.seconds,
            ])
    }
}

extension StoredRegistration {
    /// All, by the wallets' names.
    static let listing = "SELECT * FROM wallet_registration ORDER BY wallet, created, fingerprint, path"

    /// Those of one wallet, by fingerprint and path, without sorting: those before a damaged page can be read.
    static let listingOwn = "SELECT * FROM wallet_registration WHERE wallet = ? ORDER BY fingerprint, path"

    /// The registrations of all wallets, by the wallets' names.
    static func all(in database: Database) throws -> [String: [StoredRegistration]] {
        var registrations: [String: [StoredRegistration]] = [:]
        for row in try Row.fetchAll(database, sql: listing) {
            let wallet = try StoredRow(row, "a registration").text("wallet")
            registrations[wallet, default: []].append(try StoredRegistration(row: row))
        }
        return registrations
    }

    /// Reads a row of `wallet_registration`.
    init(row: Row) throws {
        let wallet = try StoredRow(row, "a registration").text("wallet")
        let row = StoredRow(row, "a registration of wallet \(wallet)")
        let fingerprint = try row.decoded("fingerprint", row.bytes("fingerprint")) { Fingerprint($0) }
        let path = try row.decoded("path", row.text("path")) { try? DerivationPath(parsing: $0) }
        self.init(
            account: KeyOrigin(fingerprint: fingerprint, path: path), bytes: try row.bytes("registration"),
            created: try row.time("created"))
    }
}
