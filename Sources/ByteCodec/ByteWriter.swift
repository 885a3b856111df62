/// Little-endian integers, compact sizes and sized byte strings, appended to a byte array.
extension [UInt8] {
    /// Appends an integer in little-endian order, as wide as its type.
    public mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    /// Appends a compact size in its shortest form: 1, 3, 5 or 9 bytes.
    public mutating func appendCompactSize(_ value: some BinaryInteger) {
        switch UInt64(value) {
        case let small where small < 0xFD:
            append(UInt8(small))
        case let medium where medium <= 0xFFFF:
            append(0xFD)
            appendLittleEndian(UInt16(medium))
        case let large where large <= 0xFFFF_FFFF:
            append(0xFE)
            appendLittleEndian(UInt32(large))
        case let huge:
            append(0xFF)
            appendLittleEndian(huge)
        }
    }

    /// Appends a compact size and the bytes it counts.
    public mutating func appendSized(_ bytes: some Collection<UInt8>) {
        appendCompactSize(bytes.count)
        append(contentsOf: bytes)
    }
}
