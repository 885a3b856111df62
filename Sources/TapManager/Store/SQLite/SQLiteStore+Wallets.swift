import Bitcoin
import GRDB

extension SQLiteStore {
    /// By name, with their descriptors in order.
    package func wallets() throws(StoreError) -> [StoredWallet] {
        try read { try Self.wallets(in: $0) }
    }

    /// The same of a database at hand.
    static func wallets(in database: Database) throws -> [StoredWallet] {
        let descriptors = try StoredWallet.descriptors(in: database)
        let registrations = try StoredRegistration.all(in: database)
        let drills = try WalletDrill.all(in: database)
        return try Row.fetchAll(database, sql: StoredWallet.listing)
            .map { try StoredWallet(row: $0, descriptors, registrations, drills) }
    }

    /// Replaces a wallet of the same name with all its descriptors.
    package func save(_ wallet: StoredWallet) throws(StoreError) {
        try write { try Self.put(wallet, in: $0) }
    }

    /// Throws `.walletExists` if the name is taken; then nothing changes.
    package func add(_ wallet: StoredWallet) throws(StoreError) {
        try write { database in
            let name = try StoredValue.text(wallet.name)
            guard try Row.fetchOne(database, sql: "SELECT 1 FROM wallet WHERE name = ?", arguments: [name]) == nil
            else { throw StoreError.walletExists(wallet.name) }
            try Self.put(wallet, in: database)
        }
    }

    private static func put(_ wallet: StoredWallet, in database: Database) throws {
        let name = try StoredValue.text(wallet.name)
        try database.execute(
            sql: """
                INSERT INTO wallet (name, network, created) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET network = excluded.network, created = excluded.created
                """,
            arguments: [name, wallet.network.rawValue, wallet.created.seconds])
        try database.execute(sql: "DELETE FROM wallet_descriptor WHERE wallet = ?", arguments: [name])
        for (position, descriptor) in wallet.descriptors.enumerated() {
            try database.execute(
                sql: "INSERT INTO wallet_descriptor (wallet, position, descriptor) VALUES (?, ?, ?)",
                arguments: [name, position, try StoredValue.text(descriptor.description)])
        }
        try database.execute(sql: "DELETE FROM wallet_registration WHERE wallet = ?", arguments: [name])
        for registration in wallet.registrations { try put(registration, of: name, in: database) }
        try put(wallet.drill, of: name, in: database)
    }

    /// Deletes the answer about it, too; its transactions stay, without a wallet, and are not sweeps.
    package func delete(_ wallet: StoredWallet) throws(StoreError) {
        try write { database in
            try Self.require(wallet, in: database)
            let name = try StoredValue.text(wallet.name)
            try database.execute(sql: "DELETE FROM wallet WHERE name = ?", arguments: [name])
            try database.execute(sql: "UPDATE psbt SET wallet = NULL, drains = 0 WHERE wallet = ?", arguments: [name])
        }
    }
}

extension StoredWallet {
    /// All, by name.
    static let listing = "SELECT * FROM wallet ORDER BY name"

    /// The descriptors of all, by the wallets' names, in order.
    static let listingDescriptors = "SELECT wallet, descriptor FROM wallet_descriptor ORDER BY wallet, position"

    /// The descriptors of one, in order, without sorting: those before a damaged page can be read.
    static let listingOwnDescriptors =
        "SELECT wallet, descriptor FROM wallet_descriptor WHERE wallet = ? ORDER BY position"

    /// The descriptors of all wallets, by the wallets' names.
    static func descriptors(in database: Database) throws -> [String: [DescriptorText]] {
        var descriptors: [String: [DescriptorText]] = [:]
        for row in try Row.fetchAll(database, sql: listingDescriptors) {
            let (wallet, text) = try descriptor(row: row)
            descriptors[wallet, default: []].append(text)
        }
        return descriptors
    }

    /// Reads a row of `wallet_descriptor`.
    static func descriptor(row: Row) throws -> (wallet: String, text: DescriptorText) {
        let wallet = try StoredRow(row, "a descriptor").text("wallet")
        let row = StoredRow(row, "a descriptor of wallet \(wallet)")
        return (wallet, DescriptorText(stored: try row.text("descriptor")))
    }

    /// Reads a row of `wallet`.
    init(
        row: Row, _ descriptors: [String: [DescriptorText]], _ registrations: [String: [StoredRegistration]],
        _ drills: [String: WalletDrill]
    ) throws {
        let name = try StoredRow(row, "a wallet").text("name")
        let row = StoredRow(row, "wallet \(name)")
        self.init(
            name: name, network: try row.decoded("network", row.text("network")) { Network(rawValue: $0) },
            descriptors: descriptors[name] ?? [], created: try row.time("created"),
            registrations: registrations[name] ?? [], drill: drills[name] ?? WalletDrill())
    }
}
