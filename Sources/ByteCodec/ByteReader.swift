/// Reads little-endian integers, compact sizes and runs of bytes from the front of a byte array.
///
/// Every read is bounds-checked; only what is returned is copied.
public struct ByteReader: Sendable {
    /// Why bytes could not be read.
    public enum ReadingError: Error, Equatable, Sendable {
        /// `needed` bytes were asked for at `offset`, and fewer are left.
        case truncated(offset: Int, needed: UInt64)
        /// A compact size at `offset` is not in its shortest form.
        case compactSizeNotShortest(offset: Int)
        /// Bytes are left over after what was expected.
        case trailingBytes(count: Int)
    }

    private let bytes: ArraySlice<UInt8>

    /// The index, in the slice's own indices, of the next byte.
    private var position: Int

    /// Starts at the first of `bytes`.
    public init(_ bytes: some BidirectionalCollection<UInt8>) {
        self.bytes = (bytes as? ArraySlice<UInt8>) ?? ArraySlice(bytes)
        position = self.bytes.startIndex
    }

    /// How many bytes have been read.
    public var offset: Int { position - bytes.startIndex }

    /// How many bytes are left.
    public var remaining: Int { bytes.endIndex - position }

    /// Whether every byte has been read.
    public var isAtEnd: Bool { position == bytes.endIndex }

    /// The next `count` bytes, as a view.
    public mutating func slice(_ count: UInt64) throws(ReadingError) -> ArraySlice<UInt8> {
        guard count <= UInt64(remaining) else { throw .truncated(offset: offset, needed: count) }
        let end = position + Int(count)
        defer { position = end }
        return bytes[position..<end]
    }

    /// The next `count` bytes, copied.
    public mutating func read(_ count: Int) throws(ReadingError) -> [UInt8] {
        Array(try slice(UInt64(max(0, count))))
    }

    /// The next byte.
    public mutating func byte() throws(ReadingError) -> UInt8 {
        guard position < bytes.endIndex else { throw .truncated(offset: offset, needed: 1) }
        defer { position += 1 }
        return bytes[position]
    }

    /// The next byte without moving past it; `nil` at the end.
    public func peek() -> UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    /// A little-endian integer, as wide as its type.
    public mutating func littleEndian<Value: FixedWidthInteger & UnsignedInteger>(
        _: Value.Type = Value.self
    ) throws(ReadingError) -> Value {
        var value: Value = 0
        let width = Value.bitWidth / 8
        for (index, byte) in try slice(UInt64(width)).enumerated() {
            value |= Value(byte) << Value(8 * index)
        }
        return value
    }

    /// A compact size (1, 3, 5 or 9 bytes), which must be in its shortest form.
    public mutating func compactSize() throws(ReadingError) -> UInt64 {
        let start = offset
        let value: UInt64
        let least: UInt64
        switch try byte() {
        case 0xFD: (value, least) = (UInt64(try littleEndian(UInt16.self)), 0xFD)
        case 0xFE: (value, least) = (UInt64(try littleEndian(UInt32.self)), 0x1_0000)
        case 0xFF: (value, least) = (try littleEndian(UInt64.self), 0x1_0000_0000)
        case let small: (value, least) = (UInt64(small), 0)
        }
        guard value >= least else { throw .compactSizeNotShortest(offset: start) }
        return value
    }

    /// A compact size and that many bytes, as a view.
    public mutating func sizedSlice() throws(ReadingError) -> ArraySlice<UInt8> {
        try slice(try compactSize())
    }

    /// Checks that every byte has been read.
    public func expectEnd() throws(ReadingError) {
        guard isAtEnd else { throw .trailingBytes(count: remaining) }
    }
}

extension ByteReader.ReadingError: CustomStringConvertible {
    /// What is wrong, with the offset where there is one.
    public var description: String {
        switch self {
        case .truncated(let offset, let needed): "\(needed) bytes are needed at offset \(offset), but fewer are left"
        case .compactSizeNotShortest(let offset): "the compact size at offset \(offset) is not in its shortest form"
        case .trailingBytes(let count): "\(count) bytes are left over at the end"
        }
    }
}
