import ByteCodec

/// What is wrong with one record of a PSBT.
public enum PSBTFieldFault: Error, Equatable, Sendable {
    /// The key stands twice in its map.
    case duplicate
    /// The field must be there.
    case missing
    /// The field belongs to other versions of PSBT than this.
    case notInVersion(PSBT.Version)
    /// This many bytes of key data, where other numbers are allowed.
    case keyDataLength(Int)
    /// Key data whose parts are cut or not in their shortest form.
    case keyData(ByteReader.ReadingError)
    /// A key, in key data or value, that is no point of the curve, or no extended public key.
    case invalidPublicKey
    /// This many bytes of value, where other numbers are allowed.
    case valueLength(Int)
    /// A value whose parts are cut, not in their shortest form, or followed by more.
    case value(ByteReader.ReadingError)
    /// A value that is no DER signature with a sighash type behind it.
    case notASignature
    /// A value that is no transaction.
    case transaction(Transaction.ParsingError)
    /// An unsigned transaction larger than `PSBT.maximumTransactionSize`.
    case transactionTooLarge(limit: Int)
    /// An unsigned transaction with a scriptSig or a witness.
    case alreadySigned
    /// A version of the transaction that is too low for this version of PSBT.
    case transactionVersion(Int32)
    /// A number that is no height of a block for a lock time, or no time for one.
    case notALockTime(UInt32)
    /// A lock time by height while other inputs need one by time, or the other way round.
    case otherKindOfLockTime
    /// A previous transaction that is not the one whose output is spent.
    case otherTransaction(TransactionID)
    /// A previous transaction without the output that is spent.
    case noSuchOutput(UInt32)
    /// An extended key of this depth with a path of this many steps.
    case depth(Int, pathLength: Int)
    /// A tree of scripts that is empty, cut, or not closed.
    case incompleteTapTree
    /// A text that is not UTF-8.
    case notUTF8
    /// A preimage that does not hash to its key.
    case wrongPreimage
}

extension PSBTFieldFault: CustomStringConvertible {
    /// What is wrong, to stand behind the field's name.
    public var description: String {
        switch self {
        case .duplicate: "stands twice"
        case .missing: "is missing"
        case .notInVersion(let version): "must not stand in a PSBT of version \(version.rawValue)"
        case .keyDataLength(let count): "has \(count.counted("byte")) of key data, which is not its length"
        case .keyData(let error): "has broken key data: \(error)"
        case .invalidPublicKey: "has a key that is no valid public key"
        case .valueLength(let count): "has a value of \(count.counted("byte")), which is not its length"
        case .value(let error): "has a broken value: \(error)"
        case .notASignature: "is no DER signature with a sighash type"
        case .transaction(let error): "is no transaction: \(error)"
        case .transactionTooLarge(let limit): "is larger than a block can hold (\(limit) bytes)"
        case .alreadySigned: "has a scriptSig or a witness"
        case .transactionVersion(let version):
            "is \(version), but the transaction's version must be \(PSBT.leastTransactionVersion) or more"
        case .notALockTime(let number): "is \(number), which is not in its range"
        case .otherKindOfLockTime: "does not go together with the lock times that other inputs need"
        case .otherTransaction(let id): "is transaction \(id), not the one whose output is spent"
        case .noSuchOutput(let index): "has no output \(index), which is spent"
        case .depth(let depth, let pathLength):
            "is a key of depth \(depth) with a path of \(pathLength.counted("step"))"
        case .incompleteTapTree: "is no complete tree of scripts"
        case .notUTF8: "is not UTF-8"
        case .wrongPreimage: "does not hash to its key"
        }
    }
}
