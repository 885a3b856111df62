import ByteCodec

/// Why bytes are not a PSBT, or why an operation on one failed.
public enum PSBTError: Error, Equatable, Sendable {
    // Reading a file.

    /// No bytes, or nothing but white space.
    case empty
    /// More bytes than `PSBT.maximumSize`, or `PSBT.maximumFileSize` as text.
    case tooLarge(limit: Int)
    /// Not a PSBT: it does not start with `psbt` and 0xFF, in binary, Base64 or hexadecimal.
    case wrongMagic
    /// Broken Base64.
    case base64(Base64.DecodingError)
    /// Broken hexadecimal.
    case hexadecimal(Hex.DecodingError)

    // Parsing a PSBT.

    /// A map that is truncated or lacks its separator, or a length that is not in its shortest form. Offsets count bytes of
    /// the binary form.
    case malformed(PSBTMapID, ByteReader.ReadingError)
    /// More records than `PSBT.maximumRecordCount`.
    case tooManyRecords(limit: Int)
    /// Bytes after the last map.
    case trailingBytes(count: Int)
    /// An unsupported PSBT version.
    case unsupportedVersion(UInt32)
    /// A record that breaks a rule.
    case field(PSBTFieldID, PSBTFieldFault)
    /// Version 2: the maps add up to a transaction larger than `PSBT.maximumTransactionSize`.
    case transactionTooLarge(limit: Int)

    // Using a PSBT.

    /// No input has this index.
    case noSuchInput(Int)
    /// Combining: the other PSBT has a different transaction.
    case otherTransaction(TransactionID)
    /// Combining: both have this field, with values that contradict each other.
    case conflict(PSBTFieldID)
    /// An input that cannot be spent, or not this way.
    case input(Int, PSBTInputFault)
}

extension PSBTError: CustomStringConvertible {
    /// What is wrong and where, for people. Contains nothing from the PSBT except transaction ids.
    public var description: String {
        switch self {
        case .empty: "it is empty"
        case .tooLarge(let limit): "larger than \(limit) bytes"
        case .wrongMagic: "not a PSBT in binary, Base64 or hexadecimal"
        case .base64(let error): "not a PSBT in Base64: \(error)"
        case .hexadecimal(let error): "not a PSBT in hexadecimal: \(error)"
        case .malformed(let map, let error): "\(map) is malformed: \(error)"
        case .tooManyRecords(let limit): "more than \(limit) records"
        case .trailingBytes(let count): "\(count.counted("extra byte")) after the last map"
        case .unsupportedVersion(let version): "PSBT version \(version) is not supported"
        case .field(let field, let fault): "\(field) \(fault)"
        case .transactionTooLarge(let limit): "the transaction is larger than a block can hold (\(limit) bytes)"
        case .noSuchInput(let index): "there is no input \(index)"
        case .otherTransaction(let id): "the other PSBT has a different transaction, \(id)"
        case .conflict(let field): "\(field) has a different value in the other PSBT"
        case .input(let index, let fault): "input \(index) \(fault)"
        }
    }
}
