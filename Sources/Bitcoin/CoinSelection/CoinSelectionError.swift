/// Why no coins can be chosen.
public enum CoinSelectionError: Error, Hashable, Sendable {
    /// There is nobody to pay.
    case noPayments
    /// The payment with this number, from 0, is below the dust limit of its script.
    case dust(payment: Int, limit: Amount)
    /// An amount, or the sum of coins, payments or fees, is not between 0 and 21 000 000 BTC.
    case amountsOverflow
    /// There are coins, but at this fee rate each costs more than it is worth.
    case noneEconomical
    /// The coins that are worth spending do not suffice.
    /// - Parameters:
    ///   - needed: payments and the fee with all those coins.
    ///   - available: what those coins are worth together.
    case insufficient(needed: Amount, available: Amount)
    /// There is enough, but in so many coins that the transaction would be heavier than nodes relay, in weight units.
    case tooHeavy(limit: Int)
}

extension CoinSelectionError: CustomStringConvertible {
    /// What is wrong, for people.
    public var description: String {
        switch self {
        case .noPayments: "there is nobody to pay"
        case .dust(let payment, let limit):
            "payment \(payment + 1) is dust: nodes relay no less than \(limit.satoshis) sat to such an address"
        case .amountsOverflow: "the amounts add up to more than 21 000 000 BTC"
        case .noneEconomical: "at this fee rate every coin costs more to spend than it is worth"
        case .insufficient(let needed, let available):
            "there is not enough: payments and fee need \(needed.satoshis) sat, and the coins worth spending have \(available.satoshis) sat"
        case .tooHeavy(let limit):
            "the amount lies in so many coins that nodes would not relay the transaction: it can weigh \(limit) units at most"
        }
    }
}
