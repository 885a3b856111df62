import ChainData

/// An unspent output as JSON.
package struct ChainCoinDocument: Encodable {
    let outpoint: String
    let amountSat: Int64
    let confirmed: Bool
    let height: Int?

    /// An output as a chain server reports it: in satoshis, without a height while it is unconfirmed.
    package init(_ coin: ChainCoin) {
        outpoint = coin.outpoint.description
        amountSat = coin.amount.satoshis
        confirmed = coin.height != nil
        height = coin.height
    }
}
