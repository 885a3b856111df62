/// Why a text or a script is not miniscript, or why such an expression should not be used.
public enum MiniscriptError: Error, Hashable, Sendable {
    /// Brackets and commas that do not match, or text after the end.
    case malformed
    /// A name that is unknown, with its wrappers.
    case unknownName(String)
    /// Too few or too many expressions for this name.
    case argumentCount(String)
    /// More levels than any P2WSH script that can be executed has.
    case tooDeep
    /// A key that cannot be read.
    case key(DescriptorKeyFault)
    /// An uncompressed key.
    case uncompressedKey
    /// A lock time that is not a number from 1 to 2³¹ − 1: the name it belongs to.
    case number(String)
    /// A hash that is not hexadecimal or has another length: the name of its function.
    case hashLength(String)
    /// A threshold that is not a number from 1 to the number of what follows: the name it belongs to.
    case threshold(String)
    /// Too many keys in one `multi` or `multi_a`: how many, and the most there may be.
    case tooManyKeys(Int, limit: Int)
    /// More than 999 parts in one `thresh` of tapscript: how many.
    case tooManyParts(Int)
    /// The parts of this name do not fit together.
    case type(String)
    /// The whole is not of kind B: its script would not leave true or false.
    case notBase
    /// The script is longer than others relay: its length, or that of what was read of it, and the longest; in bytes.
    case scriptTooLong(Int, limit: Int)
    /// Satisfying it can take more than 201 operations: how many.
    case tooManyOperations(Int)
    /// Satisfying it can take more items of the witness than others relay: how many.
    case tooManyItems(Int)
    /// Satisfying it in tapscript can put more items on the stack than the 1 000 allowed: how many.
    case tooManyStackItems(Int)
    /// It can never be satisfied.
    case unsatisfiable
    /// It can be satisfied without any signature: anybody could spend.
    case needsNoSignature
    /// Others could alter how it is satisfied.
    case malleable
    /// It needs a lock in blocks and one in time at once, which no transaction meets.
    case mixedLocks
    /// The number of `older` sets bits that BIP-68 ignores, or its 16-bit count is 0.
    case ineffectiveLock(UInt32)
    /// A key appears twice.
    case repeatedKey
}

extension MiniscriptError: CustomStringConvertible {
    /// What is wrong, for people. Contains no key.
    public var description: String {
        switch self {
        case .malformed: "its brackets and commas do not match"
        case .unknownName(let name): "\(name) is unknown, or is not allowed where it appears"
        case .argumentCount(let name): "\(name) has too few or too many parts"
        case .tooDeep: "it has more levels than the \(Miniscript<Never>.maximumDepth) allowed"
        case .key(let fault): DescriptorError.key(fault).description
        case .uncompressedKey: DescriptorError.uncompressedKey.description
        case .number(let name): "the number in \(name) is not between 1 and 2147483647"
        case .hashLength(let name): "the hash in \(name) is not hexadecimal, or does not have its length"
        case .threshold(let name): "the threshold of \(name) is not between 1 and the number of its parts"
        case .tooManyKeys(let count, let limit):
            "a multisig has \(count) keys, more than the \(limit) allowed where it appears"
        case .tooManyParts(let count):
            "a thresh has \(count) parts, more than the \(MiniscriptContext.tapscript.maximumPartCount) allowed"
        case .type(let name): "the parts of \(name) do not fit together"
        case .notBase: "the whole does not leave true or false, as a script must"
        case .scriptTooLong(let length, let limit):
            "its script has \(length) bytes or more: more than the \(limit) that the network relays"
        case .tooManyOperations(let count):
            "spending can take \(count) operations, more than the \(MiniscriptLimits.operations) that the network "
                + "allows"
        case .tooManyItems(let count):
            "spending can take \(count) witness items, more than the \(MiniscriptLimits.items) that the network relays"
        case .tooManyStackItems(let count):
            "spending can put \(count) items on the stack, more than the \(ScriptStack.maximumCount) that the network "
                + "allows"
        case .unsatisfiable: "nobody could ever spend"
        case .needsNoSignature: "anybody could spend: there is a way that needs no signature"
        case .malleable: "others could alter a transaction that spends, and so its size"
        case .mixedLocks: "a way to spend needs both a height and a time, and no transaction has both"
        case .ineffectiveLock(let number): "older(\(number)) locks nothing, or less than it says"
        case .repeatedKey: "a key appears twice, so that a signature for one part would count for another"
        }
    }
}
