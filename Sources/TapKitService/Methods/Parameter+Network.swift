import Bitcoin

extension Parameter<String> {
    /// The network that a method works on.
    static var network: Self {
        word(
            "network", Network.allCases.map(\.rawValue),
            "The network; default: what the card, the wallet or the transaction says.")
    }
}

extension Arguments {
    /// The network that was asked for.
    func network() throws(RPCFault) -> Network? {
        try optional(Parameter.network).flatMap { Network(rawValue: $0) }
    }
}
