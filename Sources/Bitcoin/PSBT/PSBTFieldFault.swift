import ByteCodec

/// What is wrong with one record of a PSBT.
public enum PSBTFieldFault: Error, Equatable, Sendable {
    /// The key appears twice in its map.
    case duplicate
    /// The field is required but missing.
    case missing
    /// The field is not allowed in this version of PSBT.
    case notInVersion(PSBT.Version)
    /// This many bytes of key data, which is not an allowed length.
    case keyDataLength(Int)
    /// Key data whose parts are truncated or not in their shortest form.
    case keyData(ByteReader.ReadingError)
    /// A key, in key data or value, that is not a point on the curve or not an extended public key.
    case invalidPublicKey
    /// This many bytes of value, which is not an allowed length.
    case valueLength(Int)
    /// A value whose parts are truncated, not in their shortest form, or followed by more.
    case value(ByteReader.ReadingError)
    /// A value that is not a DER signature followed by a sighash type.
    case notASignature
    /// A value that is not a transaction.
    case transaction(Transaction.ParsingError)
    /// An unsigned transaction larger than `PSBT.maximumTransactionSize`.
    case transactionTooLarge(limit: Int)
    /// An unsigned transaction with a scriptSig or a witness.
    case alreadySigned
    /// A transaction version that is too low for this version of PSBT.
    case transactionVersion(Int32)
    /// A number that is not a valid height, or not a valid time, for a lock time.
    case notALockTime(UInt32)
    /// A lock time by height while other inputs require one by time, or the other way round.
    case otherKindOfLockTime
    /// A previous transaction that is not the one whose output is spent.
    case otherTransaction(TransactionID)
    /// A previous transaction without the output that is spent.
    case noSuchOutput(UInt32)
    /// An extended key whose depth differs from the number of steps in its path.
    case depth(Int, pathLength: Int)
    /// A script tree that is empty, truncated, or incomplete.
    case incompleteTapTree
    /// A text that is not UTF-8.
    case notUTF8
    /// A preimage that does not hash to its key.
    case wrongPreimage
}

extension PSBTFieldFault: CustomStringConvertible {
    /// What is wrong, for use after the field's name.
    public var description: String {
        switch self {
        case .duplicate: "appears twice"
        case .missing: "is missing"
        case .notInVersion(let version): "is not allowed in a version \(version.rawValue) PSBT"
        case .keyDataLength(let count): "has \(count.counted("byte")) of key data, which is the wrong length"
        case .keyData(let error): "has broken key data: \(error)"
        case .invalidPublicKey: "has a key that is not a valid public key"
        case .valueLength(let count): "has a value of \(count.counted("byte")), which is the wrong length"
        case .value(let error): "has a broken value: \(error)"
        case .notASignature: "is not a DER signature with a sighash type"
        case .transaction(let error): "is not a transaction: \(error)"
        case .transactionTooLarge(let limit): "is larger than a block can hold (\(limit) bytes)"
        case .alreadySigned: "has a scriptSig or a witness"
        case .transactionVersion(let version):
            "is \(version), but the transaction's version must be \(PSBT.leastTransactionVersion) or more"
        case .notALockTime(let number): "is \(number), which is out of range"
        case .otherKindOfLockTime: "is incompatible with the lock times that other inputs require"
        case .otherTransaction(let id): "is transaction \(id), not the one whose output is spent"
        case .noSuchOutput(let index): "has no output \(index), but that output is spent"
        case .depth(let depth, let pathLength):
            "is a key of depth \(depth), but its path has \(pathLength.counted("step"))"
        case .incompleteTapTree: "is not a complete script tree"
        case .notUTF8: "is not UTF-8"
        case .wrongPreimage: "does not hash to its key"
        }
    }
}
