/// Why coins cannot be chosen.
public enum CoinSelectionError: Error, Hashable, Sendable {
    /// There are no payments.
    case noPayments
    /// The payment with this index, from 0, is below the dust limit of its script.
    case dust(payment: Int, limit: Amount)
    /// An amount, or the sum of coins, payments or fees, is not between 0 and 21 million BTC.
    case amountsOverflow
    /// There are coins, but at this fee rate each costs more than it is worth.
    case noneEconomical
    /// The coins that are worth spending are not enough.
    /// - Parameters:
    ///   - needed: payments and the fee with all those coins.
    ///   - available: what those coins are worth together.
    case insufficient(needed: Amount, available: Amount)
    /// There is enough, but in so many coins that nodes would not relay the transaction; the limit is in weight units.
    case tooHeavy(limit: Int)
}

extension CoinSelectionError: CustomStringConvertible {
    /// What is wrong, for people.
    public var description: String {
        switch self {
        case .noPayments: "there are no payments"
        case .dust(let payment, let limit):
            "payment \(payment + 1) is dust: nodes relay at least \(limit.satoshis) sat to an address like this"
        case .amountsOverflow: "the amounts add up to more than 21 million BTC"
        case .noneEconomical: "at this fee rate every coin costs more to spend than it is worth"
        case .insufficient(let needed, let available):
            "not enough money: payments and fee need \(needed.satoshis) sat, but the coins worth spending add up to \(available.satoshis) sat"
        case .tooHeavy(let limit):
            "the money is spread over so many coins that nodes would not relay the transaction: the limit is \(limit) weight units"
        }
    }
}
