import ExplainedErrors

extension AddressError: ExplainedError {
    /// Not a valid address, or one on another network.
    public var code: ErrorCode {
        if case .wrongNetwork = self { .wrongNetwork } else { .badAddress }
    }

    /// What is wrong. Contains no part of the text.
    public var message: String {
        switch self {
        case .notBech32, .notBase58Check: "Not a valid address: a character is wrong or missing."
        case .unknownPrefix: "Not a valid address: its prefix belongs to no Bitcoin network."
        case .unknownVersion(let version): "Not a valid address: version byte \(version) is not used by Bitcoin."
        case .hashLength(let count): "Not a valid address: its hash has \(count.counted("byte")), not 20."
        case .witnessVersion(nil): "Not a valid address: it has no witness version."
        case .witnessVersion(let version?): "Not a valid address: witness version \(version) does not exist."
        case .programLength(let version, let count):
            "Not a valid address: a witness program of version \(version) cannot have \(count.counted("byte"))."
        case .checksumVariant(let version):
            "Not a valid address: its checksum is not the kind that witness version \(version) requires."
        case .wrongNetwork(let asked, let found):
            "The address is for \(found.map(\.description).joined(separator: ", ")), not for \(asked)."
        }
    }

    /// Which address to use instead; empty when the text is not an address.
    public var remedy: String {
        if case .wrongNetwork = self { "Use an address on the same network." } else { "" }
    }
}
