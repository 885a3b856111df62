import ByteCodec

/// Why bytes are no PSBT, or why something cannot be done with one.
public enum PSBTError: Error, Equatable, Sendable {
    // What a file can be.

    /// No bytes, or nothing but white space.
    case empty
    /// More bytes than `PSBT.maximumSize`, or `PSBT.maximumFileSize` as text.
    case tooLarge(limit: Int)
    /// No PSBT at all: other bytes than `psbt` and 0xFF in front, in binary, Base64 or hexadecimal.
    case wrongMagic
    /// Broken Base64.
    case base64(Base64.DecodingError)
    /// Broken hexadecimal.
    case hexadecimal(Hex.DecodingError)

    // What a PSBT can be.

    /// A map that is cut or lacks its separator, or a length that is not in its shortest form. Offsets count bytes of
    /// the binary form.
    case malformed(PSBTMapID, ByteReader.ReadingError)
    /// More records than `PSBT.maximumRecordCount`.
    case tooManyRecords(limit: Int)
    /// Bytes behind the last map.
    case trailingBytes(count: Int)
    /// A version of PSBT that is not understood.
    case unsupportedVersion(UInt32)
    /// A record that breaks a rule.
    case field(PSBTFieldID, PSBTFieldFault)
    /// Version 2: the maps add up to a transaction larger than `PSBT.maximumTransactionSize`.
    case transactionTooLarge(limit: Int)

    // What can be done with it.

    /// No input has this number.
    case noSuchInput(Int)
    /// Combining: the other PSBT is about another transaction.
    case otherTransaction(TransactionID)
    /// Combining: both have this field, with values that contradict each other.
    case conflict(PSBTFieldID)
    /// An input that cannot be spent, or not in this way.
    case input(Int, PSBTInputFault)
}

extension PSBTError: CustomStringConvertible {
    /// What is wrong and where, for people. Holds no contents of the PSBT but transaction ids.
    public var description: String {
        switch self {
        case .empty: "there is nothing in it"
        case .tooLarge(let limit): "larger than \(limit) bytes"
        case .wrongMagic: "no PSBT: neither binary, nor Base64, nor hexadecimal"
        case .base64(let error): "broken Base64: \(error)"
        case .hexadecimal(let error): "broken hexadecimal: \(error)"
        case .malformed(let map, let error): "\(map) is malformed: \(error)"
        case .tooManyRecords(let limit): "more than \(limit) records"
        case .trailingBytes(let count): "\(count.counted("byte")) too many behind the last map"
        case .unsupportedVersion(let version): "PSBT version \(version) is not supported"
        case .field(let field, let fault): "\(field) \(fault)"
        case .transactionTooLarge(let limit): "the transaction is larger than a block can hold (\(limit) bytes)"
        case .noSuchInput(let index): "there is no input \(index)"
        case .otherTransaction(let id): "the other PSBT is about another transaction, \(id)"
        case .conflict(let field): "\(field) has another value in the other PSBT"
        case .input(let index, let fault): "input \(index) \(fault)"
        }
    }
}
