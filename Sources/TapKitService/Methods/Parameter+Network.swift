import Bitcoin

extension Parameter<String> {
    /// The network that a method works on.
    static var network: Self {
        word(
            "network", Network.allCases.map(\.rawValue),
            "The network; default: that of the settings, or else what the card, the wallet or the transaction says.")
    }
}

extension Arguments {
    /// The network that was asked for, or else the usual one.
    func network() throws(RPCFault) -> Network? {
        try optional(Parameter.network).flatMap { Network(rawValue: $0) } ?? usualNetwork
    }
}
