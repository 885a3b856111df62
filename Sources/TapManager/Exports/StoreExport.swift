import ByteCodec
import FoundationEssentials
import GRDB

/// Everything in the store as one JSON object, for people and other programs: `cards`, `transactions` (PSBTs in Base64),
/// `flows`, `backups` (ciphertext in hexadecimal), `wallets`, `labels` (as BIP-329 has them). Times are seconds since
/// 1970, amounts satoshis.
public struct StoreExport {
    private let store: SQLiteStore
    private let time: UnixTime

    /// What is in a store.
    /// - Parameter time: when it is written down.
    public init(_ store: SQLiteStore, at time: UnixTime) {
        self.store = store
        self.time = time
    }

    /// Writes the object, piece by piece, as the store is at one moment. Of a damaged store it has what can be read, and
    /// says under `unreadable` what cannot; the file stays where it is.
    /// - Parameter sink: takes the next bytes.
    /// - Returns: what could not be read; empty for a store that is whole.
    /// - Throws: `.store`, or `.file` with what `sink` throws.
    @discardableResult
    public func write(
        to sink: ([UInt8]) throws(AtomicFile.WritingError) -> Void
    ) throws(StoreCopyError) -> [String] {
        var fault: AtomicFile.WritingError?
        do throws(StoreError) {
            return try store.readLeavingDamage { database in
                try sections(of: database) { text in
                    do throws(AtomicFile.WritingError) { try sink(Array(text.utf8)) } catch {
                        fault = error
                        throw error
                    }
                }
            }
        } catch { throw fault.map { .file($0) } ?? .store(error) }
    }

    private func sections(of database: Database, _ emit: (String) throws -> Void) throws -> [String] {
        var unreadable: [String] = []
        func section<Item>(
            _ name: String, _ items: (Database) throws -> [Item], _ document: (Item) -> some Encodable
        ) throws {
            let lines = try Self.rescued("its \(name)", &unreadable) {
                try items(database).map { try "\n" + Self.text(document($0)) }
            }
            try emit(",\n\"\(name)\":[" + (lines ?? []).joined(separator: ",") + "]")
        }
        try emit("{\"format\":\"tapkit-store\",\"version\":1,\"exported\":\(time.seconds)")
        try section("cards", SQLiteStore.cards, CardDocument.init)
        try transactions(of: database, &unreadable, emit)
        try section("flows", SQLiteStore.flows, FlowDocument.init)
        try section("backups", SQLiteStore.backups, BackupDocument.init)
        try section("wallets", SQLiteStore.wallets, WalletDocument.init)
        try section("labels", SQLiteStore.labels, LabelDocument.init)
        if !unreadable.isEmpty { try emit(",\n\"unreadable\":" + Self.text(unreadable)) }
        try emit("}\n")
        return unreadable
    }

    /// Each transaction is read by itself, so that one that is damaged does not take the others with it.
    private func transactions(
        of database: Database, _ unreadable: inout [String], _ emit: (String) throws -> Void
    ) throws {
        try emit(",\n\"transactions\":[")
        // Not by way of an index, which may be damaged, too.
        let places = try Self.rescued("the list of its transactions", &unreadable) {
            try Int64.fetchAll(database, sql: "SELECT place FROM psbt NOT INDEXED ORDER BY created DESC, place DESC")
        }
        let reading = try database.cachedStatement(
            sql: "SELECT * FROM psbt LEFT JOIN psbt_content USING (place) WHERE place = ?")
        var separator = "\n"
        for place in places ?? [] {
            let text = try Self.rescued("its transaction number \(place)", &unreadable) {
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

    /// What can be read, or a line more about what cannot.
    private static func rescued<Result>(
        _ name: String, _ unreadable: inout [String], _ read: () throws -> Result
    ) throws -> Result? {
        do { return try read() } catch {
            switch error {
            case let error as StoredRow.Unreadable: unreadable.append(error.what)
            case let error as DatabaseError where StoreError.isDamage(error):
                unreadable.append("\(name): \(error.message ?? "the file is damaged")")
            default: throw error
            }
            return nil
        }
    }

    private static func text(_ document: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }
}

private struct CardDocument: Encodable {
    let ident: String
    let cardPubkey: String
    let product: String
    let isTestnet: Bool
    let fingerprint: String?
    let lastSeen: UnixTime

    init(_ card: CardRecord) {
        ident = card.ident.text
        cardPubkey = Hex.encode(card.publicKey.bytes)
        product = card.product.rawValue
        isTestnet = card.isTestnet
        fingerprint = card.fingerprint?.description
        lastSeen = card.lastSeen
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
    let created: UnixTime
    let updated: UnixTime
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
        created = summary.created
        updated = summary.updated
        psbt = String(decoding: transaction.psbt.encoded(as: .base64), as: UTF8.self)
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
        try container.encode(entry.cardIdent, forKey: .card)
        try container.encode(entry.state.kind, forKey: .kind)
        try container.encode(entry.state.fields, forKey: .state)
        try container.encode(entry.created, forKey: .created)
        try container.encode(entry.updated, forKey: .updated)
    }
}

private struct BackupDocument: Encodable {
    let card: String
    let ciphertext: String
    let count: Int
    let created: UnixTime

    init(_ backup: StoredBackup) {
        card = backup.cardIdent
        ciphertext = Hex.encode(backup.ciphertext)
        count = backup.count
        created = backup.created
    }
}

private struct WalletDocument: Encodable {
    let name: String
    let network: String
    let descriptors: [String]
    let created: UnixTime

    init(_ wallet: StoredWallet) {
        name = wallet.name
        network = wallet.network.rawValue
        descriptors = wallet.descriptors
        created = wallet.created
    }
}

/// Spec: BIP-329.
private struct LabelDocument: Encodable {
    let type: String
    let ref: String
    let label: String
    let origin: String?
    let spendable: Bool?

    init(_ label: StoredLabel) {
        type = label.type
        ref = label.reference
        self.label = label.label
        origin = label.origin.isEmpty ? nil : label.origin
        spendable = label.isSpendable
    }
}
