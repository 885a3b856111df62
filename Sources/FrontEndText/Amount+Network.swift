import Bitcoin

extension Amount {
    /// The amount with its unit: `0.00100000 BTC`. On networks other than main, the network's name is included, so that
    /// nobody mistakes worthless coins for money: `0.00100000 regtest BTC`.
    package func text(on network: Network) -> String {
        guard network != .main else { return description }
        return description.replacing("BTC", with: "\(network == .test ? "testnet" : network.rawValue) BTC")
    }
}
