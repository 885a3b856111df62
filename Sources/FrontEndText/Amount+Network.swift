import Bitcoin

extension Amount {
    /// The amount with its unit: `0.00100000 BTC`. On networks other than main, the network's name is included, so that
    /// nobody mistakes worthless coins for money: `0.00100000 regtest BTC`. `test BTC` are those of testnet, or of any
    /// test network: cards and PSBTs do not tell one from another.
    package func text(on network: Network) -> String {
        network == .main ? description : description.replacing("BTC", with: "\(network.rawValue) BTC")
    }
}
