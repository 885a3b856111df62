import ExplainedErrors

extension CosignerKeyText.Fault: CustomStringConvertible {
    /// What is wrong, for people. Contains no key.
    package var description: String {
        switch self {
        case .key(let fault): fault.description
        case .lines(let count): "it has \(count.counted("line")) of text instead of one key"
        case .signature: "the record is not signed by its key, so it was altered"
        case .record: "it is not an unencrypted BIP-129 key record of five lines"
        }
    }
}

extension CosignerKeyText.Fault: ExplainedError {
    /// Not the key of a wallet.
    package var code: ErrorCode { .badDescriptor }

    /// What is wrong. Contains no key.
    package var message: String { "The key cannot be used: \(description)." }

    /// What to do about it.
    package var remedy: String {
        switch self {
        case .key(let fault): fault.remedy
        case .lines, .signature, .record: "Ask its holder for the key again: [fingerprint/path]xpub…."
        }
    }
}
