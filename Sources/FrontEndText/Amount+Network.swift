import Bitcoin

extension Amount {
    /// The amount with its coin: `0.00100000 BTC`, and off bitcoin's own chain with the network's name, so that nobody takes
    /// worthless coins for money: `0.00100000 regtest BTC`.
    package func text(on network: Network) -> String {
        guard network != .main else { return description }
        return description.replacing("BTC", with: "\(network == .test ? "testnet" : network.rawValue) BTC")
    }
}
