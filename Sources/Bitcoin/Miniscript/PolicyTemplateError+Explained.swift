import ExplainedErrors

extension PolicyTemplateError: ExplainedError {
    /// The keys, or the numbers that were chosen.
    public var code: ErrorCode {
        switch self {
        case .sameKey, .sameHolder, .otherNetwork, .unsafe, .unusable: .badDescriptor
        case .tooFewKeys, .tooManyKeys, .noLaterKeys, .needlessLaterKeys, .threshold, .laterThreshold, .notFewer,
            .blocks:
            .usage
        }
    }

    /// What is wrong. Contains no key.
    public var message: String { "The policy cannot be made: \(description)." }

    /// What to do about it; empty when there is nothing to add.
    public var remedy: String {
        switch self {
        case .sameKey, .sameHolder: "Ask every holder for a key of their own."
        case .otherNetwork: "Keys that begin with tpub are for test networks, xpub for bitcoin."
        default: ""
        }
    }
}

extension PolicyKeyFault: ExplainedError {
    /// Not the key of a wallet.
    public var code: ErrorCode { .badDescriptor }

    /// What is wrong. Contains no key.
    public var message: String { "The key cannot be used: \(description)." }

    /// What to do about it.
    public var remedy: String {
        switch self {
        case .privateKey: "Use the public key. Anyone who saw this one can spend its money."
        case .noOrigin: "Ask its holder for the key with its origin: [fingerprint/path]xpub…."
        case .key, .notExtended, .steps: "A key looks like [73c5da0a/48h/0h/0h/2h]xpub…."
        }
    }
}
