import GRDB

/// What can be read of a store's wallets, row by row: what cannot be read hides nothing else.
struct ReadableWallets {
    /// Those with all of their descriptors, by name.
    private(set) var wallets: [StoredWallet] = []
    /// The names of those that were registered, and of which the registration or a descriptor cannot be read.
    private(set) var overwritten: Set<String> = []
    /// The names of those with a descriptor that cannot be read; they are not among `wallets`.
    private(set) var incomplete: Set<String> = []

    init(in database: Database) throws {
        var registrations: [String: [StoredRegistration]] = [:]
        for row in try Row.fetchAll(database, sql: StoredRegistration.listing) {
            guard let name = try? StoredRow(row, "a registration").text("wallet") else { continue }
            if let registration = try? StoredRegistration(row: row) {
                registrations[name, default: []].append(registration)
            } else {
                overwritten.insert(name)
            }
        }
        var descriptors: [String: [DescriptorText]] = [:]
        for row in try Row.fetchAll(database, sql: StoredWallet.listingDescriptors) {
            let row = StoredRow(row, "a descriptor")
            guard let name = try? row.text("wallet") else { continue }
            if let text = try? row.text("descriptor") {
                descriptors[name, default: []].append(DescriptorText(stored: text))
            } else {
                incomplete.insert(name)
            }
        }
        overwritten.formUnion(incomplete.filter { registrations[$0] != nil })
        wallets = try Row.fetchAll(database, sql: StoredWallet.listing)
            .compactMap { try? StoredWallet(row: $0, descriptors, registrations, [:]) }
            .filter { !incomplete.contains($0.name) }
    }
}
