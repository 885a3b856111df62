/// Why a text is no output descriptor, or why a descriptor has no script.
public enum DescriptorError: Error, Equatable, Sendable {
    /// The checksum is missing where one is asked for, or wrong; or a character that no descriptor has.
    case checksum(DescriptorChecksum.Failure)
    /// Brackets, commas or braces that do not close, or something behind the end.
    case malformed
    /// A tree of scripts deeper than `Descriptor.maximumTreeDepth`.
    case tooDeep
    /// A function that is not known, or not where it stands: its name.
    case functionNotAllowed(String)
    /// Miniscript, which is not read: the first expression of it, with its wrappers.
    case miniscript(String)
    /// A key expression that is none.
    case key(DescriptorKeyFault)
    /// An uncompressed key where only compressed ones can be spent.
    case uncompressedKey
    /// The threshold is no number, 0, or more than the number of keys.
    case threshold
    /// So many keys, and the most that the place can have: by rule, or for a redeem script of 520 bytes.
    case tooManyKeys(Int, limit: Int)
    /// More derivations than `Descriptor.maximumDerivationCount`.
    case tooManyDerivations
    /// What stands in `addr` is no address of any network.
    case address
    /// What stands in `raw` is no hexadecimal.
    case script
    /// Key expressions with different numbers of multipath steps.
    case multipathLengths
    /// A hardened step below an extended public key.
    case hardenedStep
    /// A number of an address that is 2³¹ or more, or a branch that is not there.
    case noSuchScript
}

/// Why a text is no key expression.
public enum DescriptorKeyFault: Error, Equatable, Sendable {
    /// The origin in square brackets: a fingerprint of 8 hexadecimal digits, then steps.
    case origin
    /// The key itself: hexadecimal, WIF, or an extended key.
    case encoding
    /// A step: a number below 2³¹, hardened ones with `h` or `'`.
    case step
    /// Steps behind a key that has no children.
    case noChildren
    /// A multipath step (`<0;1>`): at least two different steps, once in a key expression.
    case multipath
    /// A multipath step with more choices than `DescriptorKey.maximumBranchCount`.
    case tooManyBranches
    /// More steps than `DescriptorKey.maximumDepth`, in an origin or below a key.
    case tooDeep
}

extension DescriptorError: CustomStringConvertible {
    /// What is wrong, for people. Holds no key.
    public var description: String {
        switch self {
        case .checksum(.character(let offset)): "the character at offset \(offset) does not belong in a descriptor"
        case .checksum(.length(let count)): "its checksum has \(count.counted("character")) instead of 8"
        case .checksum(.mismatch): "its checksum is wrong: a character is mistyped or missing"
        case .malformed: "its brackets and commas do not fit together"
        case .tooDeep: "its tree of scripts is more than \(Descriptor.maximumTreeDepth) levels deep"
        case .functionNotAllowed(let name): "\(name) is not known, or does not belong where it stands"
        case .miniscript(let name): "\(name) is a miniscript expression, and miniscript is not read yet"
        case .key(.origin): "a key's origin in square brackets is wrong"
        case .key(.encoding): "a key is neither hexadecimal, nor WIF, nor an extended key"
        case .key(.step): "a step behind a key is no number below 2147483648, with h or ' when it is hardened"
        case .key(.noChildren): "steps stand behind a key that is not an extended one"
        case .key(.multipath): "a multipath step like <0;1> is wrong, or there are two"
        case .key(.tooManyBranches):
            "a multipath step like <0;1> has more than \(DescriptorKey.maximumBranchCount) choices"
        case .key(.tooDeep): "a key's path has more than \(DescriptorKey.maximumDepth) steps"
        case .uncompressedKey: "an uncompressed key stands where only compressed ones can be spent"
        case .threshold: "the threshold of a multisig is not between 1 and the number of its keys"
        case .tooManyKeys(let count, let limit):
            "a multisig has \(count) keys, more than the \(limit) that fit where it stands"
        case .tooManyDerivations:
            "its keys, steps and branches together are more than \(Descriptor.maximumDerivationCount) derivations"
        case .address: "what stands in addr() is no address"
        case .script: "what stands in raw() is no hexadecimal"
        case .multipathLengths: "its multipath steps have different lengths"
        case .hardenedStep: "a hardened step stands below an extended public key, which only the private key can derive"
        case .noSuchScript: "it has no script of this number"
        }
    }
}
