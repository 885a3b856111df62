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

    /// Writes the object, piece by piece, as the store is at one moment.
    /// - Parameter sink: takes the next bytes.
    /// - Throws: `.store`, or `.file` with what `sink` throws.
    public func write(to sink: ([UInt8]) throws(AtomicFile.WritingError) -> Void) throws(StoreCopyError) {
        var fault: AtomicFile.WritingError?
        do throws(StoreError) {
            try store.read { database in
                try sections(of: database) { text in
                    do throws(AtomicFile.WritingError) { try sink(Array(text.utf8)) } catch {
                        fault = error
                        throw error
                    }
                }
            }
        } catch { throw fault.map { .file($0) } ?? .store(error) }
    }

    private func sections(of database: Database, _ emit: (String) throws -> Void) throws {
        try emit("{\"format\":\"tapkit-store\",\"version\":1,\"exported\":\(time.seconds)")
        try section("cards", try SQLiteStore.cards(in: database).map(CardDocument.init), emit)
        try emit(",\n\"transactions\":[")
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT * FROM psbt LEFT JOIN psbt_content USING (place) ORDER BY created DESC, place DESC
                """)
        var isFirst = true
        while let row = try rows.next() {
            let transaction = try SQLiteStore.transaction(row: row, in: database).transaction
            try emit((isFirst ? "\n" : ",\n") + Self.text(TransactionDocument(transaction)))
            isFirst = false
        }
        try emit("]")
        try section("flows", try SQLiteStore.flows(in: database).map(FlowDocument.init), emit)
        try section("backups", try SQLiteStore.backups(in: database).map(BackupDocument.init), emit)
        try section("wallets", try SQLiteStore.wallets(in: database).map(WalletDocument.init), emit)
        try section("labels", try SQLiteStore.labels(in: database).map(LabelDocument.init), emit)
        try emit("}\n")
    }

    private func section(
        _ name: String, _ documents: [some Encodable], _ emit: (String) throws -> Void
    ) throws {
        let lines = try documents.map { try "\n" + Self.text($0) }
        try emit(",\n\"\(name)\":[" + lines.joined(separator: ",") + "]")
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
