/// Takes choices from the front of an input. When it is used up, every choice is the first one.
struct ByteSource {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    /// Whether all bytes have been taken.
    var isEmpty: Bool { bytes.isEmpty }

    /// The next byte.
    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    /// A number below `count`, which must be 1 to 256.
    mutating func choice(_ count: Int) -> Int { count > 1 ? Int(byte()) % count : 0 }

    /// A boolean.
    mutating func flag() -> Bool { byte() & 1 == 1 }

    /// One of some values.
    mutating func pick<Value>(_ values: [Value]) -> Value { values[choice(values.count)] }

    /// A 32-bit number.
    mutating func number() -> UInt32 { (0..<4).reduce(0) { number, _ in number << 8 | UInt32(byte()) } }

    /// This many bytes, or as many as there are.
    mutating func take(_ count: Int) -> [UInt8] {
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    /// Bytes preceded by their count, a byte.
    mutating func sized() -> [UInt8] { take(Int(byte())) }

    /// Everything that is left.
    mutating func rest() -> [UInt8] { take(bytes.count) }
}
