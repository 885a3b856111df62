/// A value of the CBOR subset that the tap-card protocol uses: integers, byte and text strings, arrays,
/// maps with text keys, booleans and null.
///
/// Spec: RFC 8949; protocol, "Wire".
public enum CBORValue: Sendable, Equatable {
    /// Major type 0.
    case unsigned(UInt64)
    /// Major type 1; the value is −1 − `offset`.
    case negative(offset: UInt64)
    /// Major type 2.
    case bytes([UInt8])
    /// Major type 3.
    case text(String)
    /// Major type 4.
    case array([CBORValue])
    /// Major type 5 with text keys, each at most once, in their order.
    case map(CBORMap)
    /// Simple values 20 and 21.
    case bool(Bool)
    /// Simple value 22.
    case null
    /// Any other well-formed item (floats, tags, other simple values, maps with other keys), kept only in encoded
    /// form, so that unknown keys of an answer can be skipped.
    case other([UInt8])
}

/// A CBOR map with text keys, each at most once, in their order.
public struct CBORMap: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// The pairs in order.
    public private(set) var pairs: [(key: String, value: CBORValue)]

    /// Each key's index in `pairs`, so that a large map from outside is read in linear time.
    private var positions: [String: Int] = [:]

    /// A map of these pairs; a repeated key keeps its first place and its last value.
    public init(dictionaryLiteral elements: (String, CBORValue)...) {
        pairs = []
        for (key, value) in elements { self[key] = value }
    }

    /// The value at a key; setting `nil` removes the pair, setting an unknown key appends it.
    public subscript(key: String) -> CBORValue? {
        get { positions[key].map { pairs[$0].value } }
        set {
            switch (positions[key], newValue) {
            case (let position?, let value?): pairs[position].value = value
            case (let position?, nil):
                pairs.remove(at: position)
                positions[key] = nil
                for later in position..<pairs.count { positions[pairs[later].key] = later }
            case (nil, let value?):
                positions[key] = pairs.count
                pairs.append((key, value))
            case (nil, nil): break
            }
        }
    }

    /// Whether the same keys have the same values in the same order.
    public static func == (left: Self, right: Self) -> Bool {
        left.pairs.elementsEqual(right.pairs) { $0.key == $1.key && $0.value == $1.value }
    }
}
