import ByteCodec

/// One map of a PSBT: its records in the order of the file, each key once.
///
/// Unknown records are kept as they are. An unchanged map serializes to the bytes that it was read from.
///
/// Spec: BIP-174, "Specification" (`<global-map>`, `<input-map>`, `<output-map>`).
public struct PSBTMap: Hashable, Sendable {
    /// Which of the three kinds of map this is; it gives the key types their meaning.
    public let scope: PSBTScope

    /// The records in the order of the file.
    public private(set) var records: [PSBTRecord]

    /// A map without records.
    public init(_ scope: PSBTScope) { self.init(scope, records: []) }

    /// Takes records with different keys, in the order of the file.
    init(_ scope: PSBTScope, records: [PSBTRecord]) {
        self.scope = scope
        self.records = records
    }

    /// The value at a key; `nil` when there is none.
    public func value(_ type: UInt64, keyData: ArraySlice<UInt8> = []) -> ArraySlice<UInt8>? {
        records.first { $0.type == type && $0.keyData == keyData }?.value
    }

    /// All records of one type, in the order of the file.
    public func records(ofType type: UInt64) -> [PSBTRecord] { records.filter { $0.type == type } }

    /// Sets a record in place or, when the key is new, inserts it before the first record that Bitcoin Core would write
    /// after it: records are sorted by type; partial signatures by the HASH160 of their keys, others by key data.
    ///
    /// A map that is already in Core's order stays in it.
    public mutating func set(_ record: PSBTRecord) {
        if let index = records.firstIndex(where: { $0.hasSameKey(as: record) }) {
            records[index] = record
        } else {
            insert([record])
        }
    }

    /// Sets records of one type, given by their key data, each as `set` would.
    mutating func set(ofType type: UInt64, _ added: [[UInt8]: PSBTRecord]) {
        var added = added
        for index in records.indices where records[index].type == type {
            if let record = added.removeValue(forKey: Array(records[index].keyData)) { records[index] = record }
        }
        insert(Array(added.values))
    }

    /// Inserts records with new keys where `set` would. Linear, apart from sorting.
    mutating func insert(_ added: [PSBTRecord]) {
        var added = added.sorted(by: comes)[...]
        guard !added.isEmpty else { return }
        var merged: [PSBTRecord] = []
        merged.reserveCapacity(records.count + added.count)
        for record in records {
            while let next = added.first, comes(next, before: record) { merged.append(added.removeFirst()) }
            merged.append(record)
        }
        records = merged + added
    }

    /// Changes a record's value.
    mutating func replaceRecord(at index: Int, with record: PSBTRecord) { records[index] = record }

    /// Sets or, with `nil`, removes the value of a type whose key has no key data.
    public mutating func set(_ type: UInt64, _ value: ArraySlice<UInt8>?) {
        if let value {
            set(PSBTRecord(type: type, value: value))
        } else {
            removeAll { $0.type == type }
        }
    }

    /// Removes the records that satisfy a condition.
    public mutating func removeAll(where condition: (PSBTRecord) -> Bool) { records.removeAll(where: condition) }

    /// Appends every record and the separator.
    func serialize(into bytes: inout [UInt8]) {
        for record in records { record.serialize(into: &bytes) }
        bytes.append(0)
    }

    /// An upper bound of the serialized size, in bytes.
    var serializedLengthBound: Int { records.reduce(1) { $0 + $1.serializedLengthBound } }

    private func comes(_ new: PSBTRecord, before old: PSBTRecord) -> Bool {
        guard scope == .input, new.type == PSBTInputType.partialSignature.rawValue, old.type == new.type else {
            return new.precedes(old)
        }
        return Hash160.hash(new.keyData).lexicographicallyPrecedes(Hash160.hash(old.keyData))
    }
}
