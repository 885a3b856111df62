import ByteCodec
import ExplainedErrors

/// The double SHA-256 of a transaction without its witnesses.
public struct TransactionID: Hashable, Sendable, CustomStringConvertible, ErrorSubjectValue {
    /// 32 bytes in the order in which they are hashed and serialized.
    public let bytes: [UInt8]

    /// Takes 32 bytes in serialization order; `nil` for any other count.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.bytes = Array(bytes)
    }

    init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Reads 64 hexadecimal digits in the order shown to people; `nil` for anything else.
    public init?(parsing text: some StringProtocol) {
        guard let bytes = try? Hex.decode(text) else { return nil }
        self.init(bytes.reversed())
    }

    /// The id of the transaction with these bytes, which must be serialized without witnesses.
    package init(hashing serialization: [UInt8]) { bytes = SHA256.doubleHash(serialization) }

    /// Sixty-four hexadecimal digits, byte-reversed, as shown to people.
    public var description: String { Hex.encode(bytes.reversed()) }
}

/// One output of one transaction.
public struct Outpoint: Hashable, Sendable, CustomStringConvertible, ErrorSubjectValue {
    /// The transaction that has the output.
    public let transactionID: TransactionID
    /// The output's index, from 0.
    public let index: UInt32

    /// - Parameter index: the output's index in the transaction, from 0; not checked.
    public init(transactionID: TransactionID, index: UInt32) {
        self.transactionID = transactionID
        self.index = index
    }

    /// Reads `txid:index`, the id as shown to people, the index in decimal digits; `nil` for anything else.
    public init?(parsing text: some StringProtocol) {
        guard !text.hasEndlessLetter else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = TransactionID(parsing: String(parts[0])),
            parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let index = UInt32(parts[1])
        else { return nil }
        self.init(transactionID: id, index: index)
    }

    /// Reads 36 bytes: the id in serialization order, the index in little-endian order.
    init(from reader: inout ByteReader) throws(ByteReader.ReadingError) {
        transactionID = TransactionID(unchecked: try reader.read(32))
        index = try reader.littleEndian()
    }

    /// Appends 36 bytes.
    public func serialize(into bytes: inout [UInt8]) {
        bytes += transactionID.bytes
        bytes.appendLittleEndian(index)
    }

    /// `txid:index`.
    public var description: String { "\(transactionID):\(index)" }
}
