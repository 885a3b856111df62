import ExplainedErrors

extension AddressError: ExplainedError {
    /// Not an address, or one of another network.
    public var code: ErrorCode {
        if case .wrongNetwork = self { .wrongNetwork } else { .badAddress }
    }

    /// What is wrong. Holds nothing of the text.
    public var message: String {
        switch self {
        case .notBech32, .notBase58Check: "The text is no address: a character is wrong or missing."
        case .unknownPrefix: "The text is no address: it begins as none of any Bitcoin network does."
        case .unknownVersion(let version): "The text is no address: its version byte \(version) is none of Bitcoin's."
        case .hashLength(let count): "The text is no address: its hash has \(count.counted("byte")), not 20."
        case .witnessVersion(nil): "The text is no address: it has no witness version."
        case .witnessVersion(let version?): "The text is no address: there is no witness version \(version)."
        case .programLength(let version, let count):
            "The text is no address: a witness program of version \(version) cannot have \(count.counted("byte"))."
        case .checksumVariant(let version):
            "The text is no address: its checksum is not of the kind that witness version \(version) asks for."
        case .wrongNetwork(let asked, let found):
            "The address is for \(found.map(\.description).joined(separator: ", ")), not for \(asked)."
        }
    }

    /// An address to take instead; empty when the text is none.
    public var remedy: String {
        if case .wrongNetwork = self { "Take an address of the same network." } else { "" }
    }
}
