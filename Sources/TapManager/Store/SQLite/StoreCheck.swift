import Bitcoin
import GRDB

/// The problems found in a store; checking changes nothing.
package struct StoreCheck: Sendable, Equatable {
    /// The path of the database that was checked.
    package let file: String
    /// What is wrong, one line each, the first hundred; empty: nothing.
    package private(set) var problems: [String] = []
    /// How many cards, proven accounts, transactions, interrupted tasks, backups, wallets and labels can be read.
    package private(set) var counts: [(table: String, count: Int)] = []
    /// Why wallets that cards registered are not to be used, by name, the first hundred; none if the wallets cannot be read.
    package private(set) var altered: [RegistrationError] = []
    /// Why other wallets are not used whose descriptors can be read, by name, the first hundred: `WalletFault`, or a key that
    /// is not the one that its card has proven.
    package private(set) var unsafe: [WalletError] = []

    private static let limit = 100

    /// Whether problems, counts, and altered and unsafe wallets are the same.
    package static func == (left: StoreCheck, right: StoreCheck) -> Bool {
        left.file == right.file && left.problems == right.problems && left.altered == right.altered
            && left.unsafe == right.unsafe && left.counts.elementsEqual(right.counts) { $0 == $1 }
    }

    /// Reads everything in the store of a folder: SQLite's own check of the file, every row, every PSBT, whether the lists
    /// match it, whether wallets are as their cards registered them, whether their descriptors belong together, and have the
    /// keys that cards have proven. A damaged file stays where it is.
    /// - Returns: `nil` if there is no store.
    /// - Throws: `StoreError`: `.unsafe`, `.newer`, `.busy`, `.notWritable`, `.failed`.
    package init?(folder: String) throws(StoreError) {
        guard let files = try StoreFiles(existing: folder), try files.checkDatabase() else { return nil }
        file = files.database
        let name = files.isWritable ? files.database : files.readingName
        do {
            guard try SQLiteStore.content(of: name, named: file) != .nothing else { return nil }
            var configuration = SQLiteStore.configuration
            configuration.readonly = true
            let queue = try DatabaseQueue(path: name, configuration: configuration)
            try reading(queue) { try $0.check($1) }
            // A table that cannot be read to its end must not hide what became of the wallets.
            try reading(queue) { try $0.checkWallets($1) }
        } catch {
            guard StoreError.isDamage(error) else { throw StoreError(error, path: file) }
            add(damage: error)
        }
    }

    /// Reads as far as damage allows.
    private mutating func reading(_ queue: DatabaseQueue, _ check: (inout Self, Database) throws -> Void) throws {
        do { try queue.read { try check(&self, $0) } } catch {
            guard StoreError.isDamage(error) else { throw error }
            add(damage: error)
        }
    }

    private mutating func add(damage: any Error) {
        let problem = (damage as? DatabaseError)?.message ?? "the file is damaged"
        if !problems.contains(problem) { add(problem) }
    }

    private mutating func check(_ database: Database) throws {
        let findings = try String.fetchAll(database, sql: "PRAGMA integrity_check(\(Self.limit))")
        for finding in findings where finding != "ok" { add(finding) }
        for row in try Row.fetchAll(database, sql: "PRAGMA foreign_key_check") {
            add("a row of \(row["table"] as String? ?? "a table") belongs to nothing")
        }
        try count("card", "cards", database) { _ = try CardRecord(row: $0) }
        try count("account", "proven accounts", database) { _ = try ProvenAccount(row: $0) }
        try count("psbt LEFT JOIN psbt_content USING (place)", "transactions", database) { row in
            try Self.checkTransaction(row, database)
        }
        try count("flow", "interrupted tasks", database) { _ = try FlowEntry(row: $0) }
        try count("backup", "backups", database) { _ = try StoredBackup(row: $0) }
        try count("wallet", "wallets", database) { row in
            let row = StoredRow(row, "a wallet")
            _ = try row.decoded("network", row.text("network")) { Network(rawValue: $0) }
            _ = try SQLiteStore.chain(of: row.text("name"), in: database)
        }
        try count("wallet_registration", "registrations", database) { _ = try StoredRegistration(row: $0) }
        try count("wallet_kit", "kits", database) { _ = try WalletDrill.kit(row: $0) }
        try count("wallet_rehearsal", "rehearsals", database) { _ = try WalletDrill.rehearsal(row: $0) }
        try count("label", "labels", database) { _ = try StoredLabel(row: $0) }
    }

    private mutating func checkWallets(_ database: Database) throws {
        let readable = try ReadableWallets(in: database)
        for name in readable.incomplete.sorted() { add("wallet \(name): a descriptor cannot be read") }
        // What a card signed is not what is there now.
        var alterations = Dictionary(
            readable.overwritten.map { ($0, RegistrationError.altered(wallet: $0, nil)) }
        ) { first, _ in first }
        for wallet in readable.wallets { if let found = wallet.alteration { alterations[wallet.name] = found } }
        altered = alterations.sorted { $0.key < $1.key }.prefix(Self.limit).map(\.value)
        let accounts = try Row.fetchAll(database, sql: ProvenAccount.listing)
            .compactMap { try? ProvenAccount(row: $0) }
        let own = Dictionary(grouping: accounts, by: \.cardKey)
        let proven = try Row.fetchAll(database, sql: CardRecord.listing).compactMap { try? CardRecord(row: $0) }
            .map { ($0, own[$0.publicKey] ?? []) }
        for wallet in readable.wallets where alterations[wallet.name] == nil { checkUse(of: wallet, proven) }
    }

    private mutating func checkUse(of stored: StoredWallet, _ proven: [(CardRecord, [ProvenAccount])]) {
        do throws(WalletError) {
            let wallet = try WatchWallet(stored)
            try wallet.requireSound()
            try wallet.requireKeys(of: proven)
        } catch {
            switch error {
            case .unsound, .falseKey: if unsafe.count < Self.limit { unsafe.append(error) }
            default: add("wallet \(stored.name): \(error.message)")
            }
        }
    }

    private mutating func count(
        _ table: String, _ name: String, _ database: Database, _ read: (Row) throws -> Void
    ) throws {
        var count = 0
        let rows = try Row.fetchCursor(database, sql: "SELECT * FROM \(table)")
        while let row = try rows.next() {
            do {
                try read(row)
                count += 1
            } catch let error as StoredRow.Unreadable { add(error.what) }
        }
        counts.append((name, count))
    }

    /// Reads a transaction, and compares what lists show with the PSBT.
    private static func checkTransaction(_ row: Row, _ database: Database) throws {
        let listed = try TransactionSummary(row: row)
        let (place, transaction) = try SQLiteStore.transaction(row: row, in: database)
        let summary = transaction.summary
        // Earlier versions also listed slots that signed, which the PSBT does not name.
        let recorded = try Row.fetchAll(
            database, sql: "SELECT signer FROM signature WHERE place = ?", arguments: [place]
        ).compactMap { Fingerprint(try StoredRow($0, "a signature").bytes("signer")) }
        let signers = Set(summary.signedBy).union(recorded)
        guard listed.amount == summary.amount, listed.fee == summary.fee, listed.missing == summary.missing,
            listed.isComplete == summary.isComplete, listed.signedBy.allSatisfy(signers.contains)
        else { throw StoredRow(row, "transaction \(summary.id)").unreadable("the list differs from its PSBT") }
    }

    private mutating func add(_ problem: String) {
        if problems.count < Self.limit { problems.append(problem) }
    }
}
