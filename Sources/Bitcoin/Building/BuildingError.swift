/// Why a transaction cannot be built.
public enum BuildingError: Error, Equatable, Sendable {
    /// No coins can be chosen.
    case selection(CoinSelectionError)
    /// The same coin is offered twice.
    case duplicateCoin(Outpoint)
    /// A coin that must be spent is not among the coins offered.
    case noSuchCoin(Outpoint)
    /// The weight of a signed input cannot be known: the coin's scripts are missing or of an unknown kind.
    case weightUnknown(Outpoint)
    /// The transaction that created the coin is missing, or is a different one.
    case previousTransactionMissing(Outpoint)
    /// The transaction that created the coin has no such output.
    case noSuchOutput(Outpoint)
    /// The transaction that created the coin gives it a different amount or script.
    case coinDiffers(Outpoint)
    /// The PSBT cannot hold the transaction.
    case psbt(PSBTError)
    /// Replacing: the transaction does not signal that it may be replaced (BIP-125, rule 1).
    case notReplaceable
    /// Replacing: the new rate is not above the transaction's own, rounded down.
    case rateNotHigher(than: FeeRate)
    /// Replacing: the transaction has no output with this number.
    case noSuchChange(Int)
    /// Replacing: the transaction's inputs or outputs do not add up to a valid amount.
    case amountsOverflow
}

extension BuildingError: CustomStringConvertible {
    /// What is wrong, for people.
    public var description: String {
        switch self {
        case .selection(let error): error.description
        case .duplicateCoin(let outpoint): "the coin \(outpoint) is listed twice"
        case .noSuchCoin(let outpoint): "the coin \(outpoint) is missing"
        case .weightUnknown(let outpoint): "it is not known how the coin \(outpoint) is spent"
        case .previousTransactionMissing(let outpoint): "the transaction that created the coin \(outpoint) is missing"
        case .noSuchOutput(let outpoint): "the transaction that created the coin \(outpoint) has no such output"
        case .coinDiffers(let outpoint):
            "the transaction that created the coin \(outpoint) gives it a different amount or script"
        case .psbt(let error): error.description
        case .notReplaceable: "the transaction does not signal that it can be replaced (BIP-125)"
        case .rateNotHigher(let rate): "the new fee rate must be above the transaction's own, \(rate)"
        case .noSuchChange(let index): "the transaction has no output \(index)"
        case .amountsOverflow: "the amounts add up to more than 21 million BTC, or to less than zero"
        }
    }
}
