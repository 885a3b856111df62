import ExplainedErrors

extension AddressError: ExplainedError {
    /// Not a valid address, or one on another network.
    public var code: ErrorCode {
        if case .wrongNetwork = self { .wrongNetwork } else { .badAddress }
    }

    /// What is wrong. Contains no part of the text.
    public var message: String {
        if case .wrongNetwork(let asked, let found) = self {
            "The address is for \(found.map(\.description).joined(separator: ", ")), not for \(asked)."
        } else {
            "Not a valid address: \(self)."
        }
    }

    /// Which address to use instead; empty when the text is not an address.
    public var remedy: String {
        if case .wrongNetwork = self { "Use an address on the same network." } else { "" }
    }

    /// The network that was asked for, if the address is valid on another one.
    public var subject: ErrorSubject? {
        if case .wrongNetwork = self { .choice(.network) } else { nil }
    }
}

extension AddressError: CustomStringConvertible {
    /// What is wrong, to follow a colon. Contains no part of the text.
    public var description: String {
        switch self {
        case .notBech32, .notBase58Check: "a character is wrong or missing"
        case .unknownPrefix: "its prefix belongs to no Bitcoin network"
        case .unknownVersion(let version): "version byte \(version) is not used by Bitcoin"
        case .hashLength(let count): "its hash has \(count.counted("byte")), not 20"
        case .witnessVersion(nil): "it has no witness version"
        case .witnessVersion(let version?): "witness version \(version) does not exist"
        case .programLength(let version, let count):
            "a witness program of version \(version) cannot have \(count.counted("byte"))"
        case .checksumVariant(let version):
            "its checksum is not the kind that witness version \(version) requires"
        case .wrongNetwork(_, let found): "it is one on \(found.map(\.description).joined(separator: ", "))"
        }
    }
}
