import Bitcoin
import ByteCodec
import GRDB
import TapProtocol

/// Everything in the store as one JSON object, for people and other programs: `cards`, `accounts` (proven extended
/// keys), `transactions` (PSBTs in Base64), `flows`, `backups` (ciphertext in hexadecimal), `wallets`, `labels` (in
/// BIP-329's form). Times are seconds since 1970, amounts satoshis.
package struct StoreExport {
    private let store: SQLiteStore
    private let time: UnixTime

    /// The content of a store.
    /// - Parameter time: when it is written.
    package init(_ store: SQLiteStore, at time: UnixTime) {
        self.store = store
        self.time = time
    }

    /// Writes the object, piece by piece, from the store's state at one moment. For a damaged store, it contains what
    /// can be read, and lists under `unreadable` what cannot; the file stays where it is.
    /// - Parameter sink: takes the next bytes.
    /// - Returns: what could not be read; empty for an undamaged store.
    /// - Throws: `.store`, or `.file` with what `sink` throws.
    @discardableResult
    package func write(
        to sink: ([UInt8]) throws(WritingError) -> Void
    ) throws(StoreCopyError) -> [String] {
        var fault: WritingError?
        do throws(StoreError) {
            return try store.readLeavingDamage { database in
                try sections(of: database) { text in
                    do throws(WritingError) { try sink(Array(text.utf8)) } catch {
                        fault = error
                        throw error
                    }
                }
            }
        } catch { throw fault.map { .file($0) } ?? .store(error) }
    }

    /// Writes the object into a new file, which is written completely or not at all.
    /// - Returns: what could not be read.
    /// - Throws: the same.
    package func write(toNewFile path: String) throws(StoreCopyError) -> [String] {
        let file: NewFile
        do throws(WritingError) { file = try NewFile(at: path) } catch { throw .file(error) }
        let unreadable = try write { bytes throws(WritingError) in try file.append(bytes) }
        do throws(WritingError) { try file.place() } catch { throw .file(error) }
        return unreadable
    }

    private func sections(of database: Database, _ emit: (String) throws -> Void) throws -> [String] {
        let losses = Losses()
        func section<Item>(
            _ name: String, _ sql: String, _ item: (Row) throws -> Item, _ document: (Item) -> some Encodable
        ) throws {
            let lines = try losses.rows(of: "its \(name)", sql, in: database) { row in
                try Self.text(document(item(row)))
            }
            try emit(",\n\"\(name)\":[" + lines.map { "\n" + $0 }.joined(separator: ",") + "]")
        }
        try emit("{\"format\":\"tapkit-store\",\"version\":1,\"exported\":\(time.seconds)")
        try section(
            "cards", CardRecord.listing, CardRecord.init(row:), CardDocument.init)
        try section("accounts", ProvenAccount.listing, ProvenAccount.init(row:), AccountDocument.init)
        try transactions(of: database, losses, emit)
        try section("flows", FlowEntry.listing, FlowEntry.init(row:), FlowDocument.init)
        try section(
            "backups", StoredBackup.listing, StoredBackup.init(row:), BackupDocument.init)
        try section(
            "wallets", StoredWallet.listing, { try Self.wallet($0, in: database, losses) }, WalletDocument.init)
        try section(
            "labels", StoredLabel.listing, StoredLabel.init(row:),
            LabelDocument.init)
        if !losses.lines.isEmpty { try emit(",\n\"unreadable\":" + Self.text(losses.lines)) }
        try emit("}\n")
        return losses.lines
    }

    /// A wallet, with what can be read of its descriptors, registrations, kits and rehearsals. They are read for each
    /// wallet separately, so that damage to those of one does not affect the others, and the losses name the wallet.
    private static func wallet(_ row: Row, in database: Database, _ losses: Losses) throws -> StoredWallet {
        let name = try StoredRow(row, "a wallet").text("name")
        func rows<Item>(_ what: String, _ sql: String, _ read: (Row) throws -> Item) throws -> [Item] {
            try losses.rows(of: "the \(what) of wallet \(name)", sql, [name], in: database, read)
        }
        let lossesBefore = losses.lines.count
        let descriptors = try rows("descriptors", StoredWallet.listingOwnDescriptors) { row in
            try StoredWallet.descriptor(row: row).text
        }
        // Every wallet was stored with some: they are not found if the name in one of the tables is damaged.
        if descriptors.isEmpty, losses.lines.count == lossesBefore {
            losses.add("wallet \(name): it has no descriptors")
        }
        let registrations = try rows("registrations", StoredRegistration.listingOwn, StoredRegistration.init(row:))
        let kits = try rows("kits", WalletDrill.listingOwnKits, WalletDrill.kit(row:))
        let rehearsals = try rows("rehearsals", WalletDrill.listingOwnRehearsals, WalletDrill.rehearsal(row:))
        let drill = WalletDrill(
            kits: Dictionary(kits.map { ($0.digest, $0.written) }) { _, last in last },
            proven: Dictionary(rehearsals.map { ($0.path, $0.proven) }) { _, last in last })
        return try StoredWallet(
            row: row, [name: descriptors], [name: registrations.sorted { $0.created < $1.created }], [name: drill])
    }

    /// Each transaction is read separately, so that a damaged one does not affect the others.
    private func transactions(
        of database: Database, _ losses: Losses, _ emit: (String) throws -> Void
    ) throws {
        try emit(",\n\"transactions\":[")
        // Without an index, which may be damaged, too.
        let places = try losses.orLost("the list of its transactions") {
            try Int64.fetchAll(database, sql: "SELECT place FROM psbt NOT INDEXED ORDER BY created DESC, place DESC")
        }
        let reading = try database.cachedStatement(
            sql: "SELECT * FROM psbt LEFT JOIN psbt_content USING (place) WHERE place = ?")
        var separator = "\n"
        for place in places ?? [] {
            let text = try losses.orLost("its transaction number \(place)") {
                try Row.fetchOne(reading, arguments: [place]).map { row in
                    try Self.text(TransactionDocument(SQLiteStore.transaction(row: row, in: database).transaction))
                }
            }
            guard let text = text ?? nil else { continue }
            try emit(separator + text)
            separator = ",\n"
        }
        try emit("]")
    }

    /// What cannot be read, line by line.
    private final class Losses {
        private(set) var lines: [String] = []

        func add(_ line: String) { lines.append(line) }

        /// What can be read; otherwise `nil` and another line.
        @discardableResult
        func orLost<Result>(_ name: String, _ read: () throws -> Result) throws -> Result? {
            do { return try read() } catch {
                switch error {
                case let error as StoredRow.Unreadable: lines.append(error.what)
                case let error as DatabaseError where StoreError.isDamage(error):
                    lines.append("\(name): \(error.message ?? "the file is damaged")")
                default: throw error
                }
                return nil
            }
        }

        /// The rows of a table that can be read: each separately, up to a damaged page.
        func rows<Result>(
            of name: String, _ sql: String, _ arguments: StatementArguments = [], in database: Database,
            _ read: (Row) throws -> Result
        ) throws -> [Result] {
            var results: [Result] = []
            try orLost(name) {
                let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
                while let row = try rows.next() {
                    if let result = try orLost(name, { try read(row) }) { results.append(result) }
                }
            }
            return results
        }
    }

    private static func text(_ document: some Encodable) throws -> String {
        try JSONDocument.text(document, keys: .snakeCase)
    }
}

private struct CardDocument: Encodable {
    let ident: String
    let cardPubkey: String
    let product: String
    let isTestnet: Bool
    let version: String?
    let fingerprint: String?
    let lastSeen: Int64
    let name: String?

    init(_ card: CardRecord) {
        ident = card.ident.text
        cardPubkey = Hex.encode(card.publicKey.bytes)
        product = card.product.rawValue
        isTestnet = card.isTestnet
        version = card.version?.description
        fingerprint = card.fingerprint?.description
        lastSeen = card.lastSeen.seconds
        name = card.name
    }
}

private struct AccountDocument: Encodable {
    let card: String
    let path: String
    let xpub: String
    let proven: Int64

    init(_ account: ProvenAccount) {
        card = CardIdent(of: account.cardKey).text
        path = account.path.description
        xpub = account.key.text
        proven = account.proven.seconds
    }
}

private struct TransactionDocument: Encodable {
    let id: String
    let state: String
    let network: String?
    let wallet: String?
    let note: String?
    let amountSat: Int64?
    let feeSat: Int64?
    let signedBy: [String]
    let missing: Int
    let created: Int64
    let updated: Int64
    let sent: Int64?
    let height: Int?
    let replacedBy: String?
    let psbt: String

    init(_ transaction: StoredTransaction) {
        let summary = transaction.summary
        id = summary.id.description
        state = summary.state.rawValue
        network = summary.network?.rawValue
        wallet = summary.wallet
        note = summary.note.isEmpty ? nil : summary.note
        amountSat = summary.amount?.satoshis
        feeSat = summary.fee?.satoshis
        signedBy = summary.signedBy.map(\.description)
        missing = summary.missing
        created = summary.created.seconds
        updated = summary.updated.seconds
        sent = summary.sent?.seconds
        height = summary.standing?.height
        replacedBy = summary.standing?.replacedBy?.description
        psbt = transaction.psbt.base64Text
    }
}

private struct FlowDocument: Encodable {
    private enum Key: CodingKey {
        case card, kind, state, created, updated
    }

    private let entry: FlowEntry

    init(_ entry: FlowEntry) { self.entry = entry }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(entry.card.text, forKey: .card)
        try container.encode(entry.state.kind, forKey: .kind)
        try container.encode(entry.state.fields, forKey: .state)
        try container.encode(entry.created.seconds, forKey: .created)
        try container.encode(entry.updated.seconds, forKey: .updated)
    }
}

private struct BackupDocument: Encodable {
    let card: String
    let ciphertext: String
    let count: Int
    let created: Int64

    init(_ backup: StoredBackup) {
        card = backup.card.text
        ciphertext = Hex.encode(backup.ciphertext.bytes)
        count = backup.count
        created = backup.created.seconds
    }
}

private struct WalletDocument: Encodable {
    struct Registration: Encodable {
        let fingerprint: String
        let path: String
        /// In hexadecimal.
        let registration: String
        let created: Int64

        init(_ stored: StoredRegistration) {
            fingerprint = stored.account.fingerprint.description
            path = stored.account.path.description
            registration = Hex.encode(stored.bytes)
            created = stored.created.seconds
        }
    }

    struct Rehearsal: Encodable {
        let path: Int
        let proven: Int64
    }

    let name: String
    let network: String
    let descriptors: [String]
    let registrations: [Registration]?
    /// When a kit was last written.
    let kit: Int64?
    /// When each spending path was last proven, in the order of their numbers.
    let rehearsals: [Rehearsal]?
    let created: Int64

    init(_ wallet: StoredWallet) {
        name = wallet.name
        network = wallet.network.rawValue
        descriptors = wallet.descriptors.map(\.description)
        registrations = wallet.registrations.isEmpty ? nil : wallet.registrations.map(Registration.init)
        kit = wallet.drill.kitWritten?.seconds
        let proven = wallet.drill.proven.sorted { $0.key < $1.key }
        rehearsals = proven.isEmpty ? nil : proven.map { Rehearsal(path: $0.key, proven: $0.value.seconds) }
        created = wallet.created.seconds
    }
}

/// Spec: BIP-329.
private struct LabelDocument: Encodable {
    let type: String
    let ref: String
    let label: String
    let origin: String?
    let spendable: Bool?
    let line: String?

    init(_ label: StoredLabel) {
        type = label.type
        ref = label.reference
        self.label = label.label
        origin = label.origin.isEmpty ? nil : label.origin
        spendable = label.isSpendable
        line = label.line
    }
}
