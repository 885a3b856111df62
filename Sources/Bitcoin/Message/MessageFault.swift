import ByteCodec

/// Why a signed message is not valid, or why nobody can tell.
public enum MessageFault: Error, Equatable, Sendable {
    // The text.

    /// No text.
    case empty
    /// More text or bytes than are looked at: the limit in bytes.
    case tooLarge(limit: Int)
    /// Broken Base64.
    case notBase64(Base64.DecodingError)
    /// Neither the prefix nor the bytes are those of a format.
    case unknownFormat

    // BIP-137.

    /// Not 65 bytes.
    case signatureLength(Int)
    /// A header outside 27…42.
    case header(UInt8)
    /// R or S is out of range.
    case signatureOutOfRange
    /// No key makes this signature.
    case noKeyRecovered
    /// The key that made the signature does not belong to the address, or the header names another type of address.
    case otherAddress

    // BIP-322.

    /// The bytes are no witness stack.
    case malformedWitness(ByteReader.ReadingError)
    /// The bytes are no transaction.
    case malformedTransaction(Transaction.ParsingError)
    /// The bytes are no PSBT.
    case malformedPSBT(PSBTError)
    /// An input of the PSBT is not final.
    case notFinal(input: Int)
    /// The PSBT does not say, or contradicts itself about, what an input spends.
    case spentOutput(input: Int)
    /// The transaction's first input does not spend the virtual output: another message or another address was signed.
    case otherMessageOrAddress
    /// The transaction has not the one output that it must have: `OP_RETURN`, worth nothing.
    case outputs
    /// Two inputs spend the same output, or one spends none.
    case inputs
    /// The spent outputs are worth more money than there is.
    case amounts
    /// The script of an input is not fulfilled, or has no rules yet.
    case script(input: Int, ScriptFailure)
    /// The transaction's version is neither 0 nor 2.
    case transactionVersion(UInt32)
    /// The transaction spends further outputs, of which the signature does not tell scripts and amounts.
    case unknownFunds
}

extension MessageFault: CustomStringConvertible {
    /// What is wrong, for people.
    public var description: String {
        switch self {
        case .empty: "the signature is empty"
        case .tooLarge(let limit): "the signature has more than \(limit) bytes"
        case .notBase64(let error): "broken Base64: \(error)"
        case .unknownFormat: "no known format of signature"
        case .signatureLength(let count): "the signature has \(count.counted("byte")), not 65"
        case .header(let header): "the signature's header is \(header), not 27 to 42"
        case .signatureOutOfRange: "the signature's numbers are out of range"
        case .noKeyRecovered: "no key makes this signature"
        case .otherAddress: "the signature is not by this address, or not over this message"
        case .malformedWitness(let error): "the signature is no witness: \(error)"
        case .malformedTransaction(let error): "the signature is no transaction: \(error)"
        case .malformedPSBT(let error): "the signature is no PSBT: \(error)"
        case .notFinal(let input): "input \(input) is not final"
        case .spentOutput(let input): "what input \(input) spends is missing or contradictory"
        case .otherMessageOrAddress: "the signature is for another message or another address"
        case .outputs: "the signed transaction has other outputs than it must have"
        case .inputs: "the signed transaction spends an output twice, or none"
        case .amounts: "the spent outputs are worth more money than there is"
        case .script(let input, let failure): "input \(input): \(failure)"
        case .transactionVersion(let version): "the signed transaction has version \(version), which has no rules yet"
        case .unknownFunds: "what further inputs spend is not known"
        }
    }
}
