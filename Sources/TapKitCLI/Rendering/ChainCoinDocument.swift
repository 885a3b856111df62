import ChainData

/// An unspent output as `--json` shows it.
struct ChainCoinDocument: Encodable {
    let outpoint: String
    let amountSat: Int64
    let confirmed: Bool
    let height: Int?

    init(_ coin: ChainCoin) {
        outpoint = coin.outpoint.description
        amountSat = coin.amount.satoshis
        confirmed = coin.height != nil
        height = coin.height
    }
}
