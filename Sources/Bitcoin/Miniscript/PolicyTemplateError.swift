/// Why a template cannot be filled with these keys and numbers. Keys are counted from 1: first those that can spend at any
/// time, then those that can spend only later.
public enum PolicyTemplateError: Error, Equatable, Sendable {
    /// No key that can spend at any time, or only one where fewer are to be needed later.
    case tooFewKeys
    /// More keys on one path than a script has.
    case tooManyKeys(Int)
    /// No key that can spend later.
    case noLaterKeys
    /// Keys for later, where the first ones are on both paths.
    case needlessLaterKeys
    /// A threshold that is not between 1 and the number of keys.
    case threshold(Int, of: Int)
    /// The later threshold is not between 1 and the number of keys that can spend later.
    case laterThreshold(Int, of: Int)
    /// The later threshold is not lower than the first one.
    case notFewer(Int, than: Int)
    /// A relative lock that is not between 1 and 65 535 blocks.
    case blocks(Int)
    /// A key appears twice.
    case sameKey(Int, Int)
    /// Two keys are said to come from one master key: their holder would count twice, and lose both at once.
    case sameHolder(Int, Int, Fingerprint)
    /// A key is for other networks than the first one.
    case otherNetwork(Int)
    /// The expression is too large, or not safe.
    case unsafe(MiniscriptError)
    /// The descriptor cannot be used.
    case unusable(DescriptorError)
}

extension PolicyTemplateError: CustomStringConvertible {
    /// What is wrong, for people. Contains no key.
    public var description: String {
        switch self {
        case .tooFewKeys: "there are too few keys that can spend at any time"
        case .tooManyKeys(let count):
            "there are \(count) keys on one spending path, more than the \(MultisigScript.maximumKeyCount) allowed"
        case .noLaterKeys: "there is no key that can spend later"
        case .needlessLaterKeys: "it has the same keys later, and takes no others"
        case .threshold(let threshold, let count):
            "\(threshold) signatures of \(count.counted("key")) are not possible"
        case .laterThreshold(let threshold, let count):
            "\(threshold) signatures of \(count.counted("key")) are not possible later"
        case .notFewer(let later, let first): "later, fewer than \(first) signatures must be enough, not \(later)"
        case .blocks(let blocks): "a time of \(blocks) blocks is not between 1 and \(TemplatePolicy.maximumBlocks)"
        case .sameKey(let one, let other): "keys \(one) and \(other) are the same"
        case .sameHolder(let one, let other, let fingerprint):
            "keys \(one) and \(other) come from the same master key, \(fingerprint), so one loss or theft takes both"
        case .otherNetwork(let number): "key \(number) is for a different network than key 1"
        case .unsafe(let fault): fault.description
        case .unusable(let fault): fault.description
        }
    }
}
