import ByteCodec

/// One map of a PSBT: its records in the order of the file, each key once.
///
/// What is not understood is kept as it is. A map that is not changed serializes to the bytes it was read from.
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

    /// Puts a record where its key stands, or, when the key is new, in front of the first record that Bitcoin Core
    /// would write behind it: records come by type; partial signatures by the HASH160 of their keys, others by key data.
    ///
    /// In a map in which Core's order holds already, it holds afterwards.
    public mutating func set(_ record: PSBTRecord) {
        if let index = records.firstIndex(where: { $0.hasSameKey(as: record) }) {
            records[index] = record
        } else {
            insert([record])
        }
    }

    /// Puts records of one type, by their key data, where `set` would put each.
    mutating func set(ofType type: UInt64, _ added: [[UInt8]: PSBTRecord]) {
        var added = added
        for index in records.indices where records[index].type == type {
            if let record = added.removeValue(forKey: Array(records[index].keyData)) { records[index] = record }
        }
        insert(Array(added.values))
    }

    /// Puts records with new keys where `set` would put them. Linear but for sorting them.
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

    /// Gives a record another value.
    mutating func replaceRecord(at index: Int, with record: PSBTRecord) { records[index] = record }

    /// Sets or, with `nil`, removes the value of a type whose key has no key data.
    public mutating func set(_ type: UInt64, _ value: ArraySlice<UInt8>?) {
        if let value {
            set(PSBTRecord(type: type, value: value))
        } else {
            removeAll { $0.type == type }
        }
    }

    /// Removes the records that fulfil a condition.
    public mutating func removeAll(where condition: (PSBTRecord) -> Bool) { records.removeAll(where: condition) }

    /// Appends every record and the separator.
    func serialize(into bytes: inout [UInt8]) {
        for record in records { record.serialize(into: &bytes) }
        bytes.append(0)
    }

    /// At least as many bytes as the serialization has.
    var serializedLengthBound: Int { records.reduce(1) { $0 + $1.serializedLengthBound } }

    private func comes(_ new: PSBTRecord, before old: PSBTRecord) -> Bool {
        guard scope == .input, new.type == PSBTInputType.partialSignature.rawValue, old.type == new.type else {
            return new.precedes(old)
        }
        return Hash160.hash(new.keyData).lexicographicallyPrecedes(Hash160.hash(old.keyData))
    }
}
