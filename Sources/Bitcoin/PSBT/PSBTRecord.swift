import ByteCodec

/// One key-value record of a PSBT, as in the file. The bytes are views into the file; nothing is copied.
///
/// Spec: BIP-174, "Specification" (`<keypair>`).
public struct PSBTRecord: Hashable, Sendable {
    /// The key's type; what it means depends on the map (`PSBTGlobalType`, `PSBTInputType`, `PSBTOutputType`).
    public let type: UInt64
    /// The rest of the key; empty for most types.
    public let keyData: ArraySlice<UInt8>
    /// The value's bytes, as in the PSBT: a view, not a copy.
    public let value: ArraySlice<UInt8>

    /// A record. Whether key data and value fit the type is checked when it is read.
    public init(type: UInt64, keyData: ArraySlice<UInt8> = [], value: ArraySlice<UInt8>) {
        self.type = type
        self.keyData = keyData
        self.value = value
    }

    /// Whether both records have the same key: type and key data.
    func hasSameKey(as other: PSBTRecord) -> Bool { type == other.type && keyData == other.keyData }

    /// Whether the key is smaller than the other's: by type, then by key data.
    func precedes(_ other: PSBTRecord) -> Bool {
        type == other.type ? keyData.lexicographicallyPrecedes(other.keyData) : type < other.type
    }

    /// Reads the record after a key's length.
    init(keyLength: UInt64, from reader: inout ByteReader) throws(ByteReader.ReadingError) {
        let start = reader.offset
        type = try reader.compactSize()
        let typeLength = UInt64(reader.offset - start)
        guard typeLength <= keyLength else { throw .truncated(offset: start, needed: typeLength) }
        keyData = try reader.slice(keyLength - typeLength)
        value = try reader.sizedSlice()
    }

    /// Appends key and value, each with its compact size.
    func serialize(into bytes: inout [UInt8]) {
        bytes.appendCompactSize(Self.compactSizeLength(type) + keyData.count)
        bytes.appendCompactSize(type)
        bytes.append(contentsOf: keyData)
        bytes.appendSized(value)
    }

    /// An upper bound of the serialized size, in bytes.
    var serializedLengthBound: Int { 27 + keyData.count + value.count }

    private static func compactSizeLength(_ value: UInt64) -> Int {
        switch value {
        case ..<0xFD: 1
        case ...0xFFFF: 3
        case ...0xFFFF_FFFF: 5
        default: 9
        }
    }
}

extension [PSBTRecord] {
    /// The indices of the records, in the order of their keys.
    var placesByKey: [Int] { indices.sorted { self[$0].precedes(self[$1]) } }
}
