import ByteCodec

/// Why a signed message is not valid, or cannot be judged.
public enum MessageFault: Error, Equatable, Sendable {
    // The text.

    /// No text.
    case empty
    /// More text or bytes than the limit, in bytes.
    case tooLarge(limit: Int)
    /// Broken Base64.
    case notBase64(Base64.DecodingError)
    /// Neither the prefix nor the bytes match a known format.
    case unknownFormat

    // BIP-137.

    /// Not 65 bytes.
    case signatureLength(Int)
    /// A header outside 27…42.
    case header(UInt8)
    /// R or S is out of range.
    case signatureOutOfRange
    /// No key can have made this signature.
    case noKeyRecovered
    /// The key that made the signature does not belong to the address, or the header names another type of address.
    case otherAddress

    // BIP-322.

    /// The bytes are not a witness stack.
    case malformedWitness(ByteReader.ReadingError)
    /// The bytes are not a transaction.
    case malformedTransaction(Transaction.ParsingError)
    /// The bytes are not a PSBT.
    case malformedPSBT(PSBTError)
    /// An input of the PSBT is not final.
    case notFinal(input: Int)
    /// The PSBT does not say what an input spends, or contradicts itself.
    case spentOutput(input: Int)
    /// The transaction's first input does not spend the virtual output: a different message or address was signed.
    case otherMessageOrAddress
    /// The transaction does not have the one required output: `OP_RETURN` with a value of 0.
    case outputs
    /// Two inputs spend the same output, or an input spends none.
    case inputs
    /// The spent outputs exceed the money supply.
    case amounts
    /// The script of an input is not satisfied, or has no rules yet.
    case script(input: Int, ScriptFailure)
    /// The transaction's version is neither 0 nor 2.
    case transactionVersion(UInt32)
    /// The transaction spends further outputs, but the signature does not include their scripts and amounts.
    case unknownFunds
}

extension MessageFault: CustomStringConvertible {
    /// What is wrong, for people.
    public var description: String {
        switch self {
        case .empty: "the signature is empty"
        case .tooLarge(let limit): "the signature has more than \(limit) bytes"
        case .notBase64(let error): "broken Base64: \(error)"
        case .unknownFormat: "not in a known signature format"
        case .signatureLength(let count): "the signature has \(count.counted("byte")), not 65"
        case .header(let header): "the signature's header is \(header), not 27 to 42"
        case .signatureOutOfRange: "the signature's numbers are out of range"
        case .noKeyRecovered: "no key can have made this signature"
        case .otherAddress: "the signature does not match this address and message"
        case .malformedWitness(let error): "the signature is not a witness: \(error)"
        case .malformedTransaction(let error): "the signature is not a transaction: \(error)"
        case .malformedPSBT(let error): "the signature is not a PSBT: \(error)"
        case .notFinal(let input): "input \(input) is not final"
        case .spentOutput(let input): "the output that input \(input) spends is missing or contradictory"
        case .otherMessageOrAddress: "the signature is for a different message or address"
        case .outputs: "the signed transaction does not have the required output"
        case .inputs: "the signed transaction spends an output twice, or spends none"
        case .amounts: "the spent outputs exceed the money supply"
        case .script(let input, let failure): "input \(input): \(failure)"
        case .transactionVersion(let version): "the signed transaction has version \(version), which has no rules yet"
        case .unknownFunds: "it is not known what further inputs spend"
        }
    }
}
