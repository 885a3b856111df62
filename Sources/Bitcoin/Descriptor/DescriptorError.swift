/// Why a text is not an output descriptor, or why a descriptor has no script.
public enum DescriptorError: Error, Equatable, Sendable {
    /// The checksum is wrong or missing where required, or a character is not allowed in descriptors.
    case checksum(DescriptorChecksum.Failure)
    /// Brackets, commas or braces that do not match, or text after the end.
    case malformed
    /// A script tree deeper than `Descriptor.maximumTreeDepth`.
    case tooDeep
    /// A function that is unknown, or not allowed here: its name.
    case functionNotAllowed(String)
    /// Miniscript that is neither in `wsh` nor a leaf of `tr`: its first expression, with its wrappers.
    case misplacedMiniscript(String)
    /// A miniscript expression that is invalid, or not safe.
    case miniscript(MiniscriptError)
    /// An invalid key expression.
    case key(DescriptorKeyFault)
    /// An uncompressed key where only compressed ones are allowed.
    case uncompressedKey
    /// The threshold is not a number, is 0, or is more than the number of keys.
    case threshold
    /// Too many keys: their number, and the most allowed here, by rule or to fit a 520-byte redeem script.
    case tooManyKeys(Int, limit: Int)
    /// More derivations than `Descriptor.maximumDerivationCount`.
    case tooManyDerivations
    /// The content of `addr` is not an address on any network.
    case address
    /// The content of `raw` is not hexadecimal.
    case script
    /// Key expressions with different numbers of multipath steps.
    case multipathLengths
    /// A hardened step below an extended public key.
    case hardenedStep
    /// An address index of 2³¹ or more, or a branch that does not exist.
    case noSuchScript
}

/// Why a text is not a key expression.
public enum DescriptorKeyFault: Error, Equatable, Sendable {
    /// The origin in square brackets is wrong: it must be a fingerprint of 8 hexadecimal digits, then steps.
    case origin
    /// The key itself is wrong: it must be hexadecimal, WIF, or an extended key.
    case encoding
    /// A step is wrong: it must be a number below 2³¹, with `h` or `'` if hardened.
    case step
    /// Steps after a key that has no children.
    case noChildren
    /// A multipath step (`<0;1>`) is wrong: at least two different steps, once per key expression.
    case multipath
    /// A multipath step with more choices than `DescriptorKey.maximumBranchCount`.
    case tooManyBranches
    /// More steps than `DescriptorKey.maximumDepth`, in an origin or below a key.
    case tooDeep
}

extension DescriptorError: CustomStringConvertible {
    /// What is wrong, for people. Contains no key.
    public var description: String {
        switch self {
        case .checksum(.character(let offset)): "the character at offset \(offset) is not allowed in a descriptor"
        case .checksum(.length(let count)): "its checksum has \(count.counted("character")) instead of 8"
        case .checksum(.mismatch): "its checksum is wrong: a character is mistyped or missing"
        case .malformed: "its brackets and commas do not match"
        case .tooDeep: "its script tree is more than \(Descriptor.maximumTreeDepth) levels deep"
        case .functionNotAllowed(let name): "\(name) is unknown, or is not allowed where it appears"
        case .misplacedMiniscript(let name):
            "\(name) is a miniscript expression, and miniscript is allowed in wsh() and in the scripts of tr() only"
        case .miniscript(let fault): fault.description
        case .key(.origin): "a key's origin in square brackets is wrong"
        case .key(.encoding): "a key is neither hexadecimal, nor WIF, nor an extended key"
        case .key(.step): "a step after a key is not a number below 2147483648, with h or ' if hardened"
        case .key(.noChildren): "steps follow a key that is not an extended key"
        case .key(.multipath): "a multipath step like <0;1> is wrong, or there are two"
        case .key(.tooManyBranches):
            "a multipath step like <0;1> has more than \(DescriptorKey.maximumBranchCount) choices"
        case .key(.tooDeep): "a key's path has more than \(DescriptorKey.maximumDepth) steps"
        case .uncompressedKey: "an uncompressed key is used where only compressed ones are allowed"
        case .threshold: "the threshold of a multisig is not between 1 and the number of its keys"
        case .tooManyKeys(let count, let limit):
            "a multisig has \(count) keys, more than the \(limit) allowed where it appears"
        case .tooManyDerivations:
            "its keys, steps and branches together take more than \(Descriptor.maximumDerivationCount) derivations"
        case .address: "the content of addr() is not an address"
        case .script: "the content of raw() is not hexadecimal"
        case .multipathLengths: "its multipath steps have different lengths"
        case .hardenedStep: "a hardened step follows an extended public key, but only the private key can derive it"
        case .noSuchScript: "it has no script with this index"
        }
    }
}
