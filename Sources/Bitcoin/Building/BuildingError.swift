/// Why no transaction can be built.
public enum BuildingError: Error, Equatable, Sendable {
    /// No coins can be chosen.
    case selection(CoinSelectionError)
    /// The same coin is offered twice.
    case duplicateCoin(Outpoint)
    /// A coin that must be spent is not among those that are offered.
    case noSuchCoin(Outpoint)
    /// How much a signed input weighs cannot be known: the coin's scripts are missing, or none of the known kinds.
    case weightUnknown(Outpoint)
    /// The transaction that made the coin is not there, or is another one.
    case previousTransactionMissing(Outpoint)
    /// The transaction that made the coin has no such output.
    case noSuchOutput(Outpoint)
    /// The transaction that made the coin says otherwise about its amount or its script.
    case coinDiffers(Outpoint)
    /// The PSBT cannot hold it.
    case psbt(PSBTError)
    /// Replacing: the transaction does not signal that it may be replaced (BIP-125, rule 1).
    case notReplaceable
    /// Replacing: the new rate is not above what the transaction pays, rounded down.
    case rateNotHigher(than: FeeRate)
    /// Replacing: the transaction has no output with this number.
    case noSuchChange(Int)
    /// Replacing: what the transaction spends and pays are no sums of money.
    case amountsOverflow
}

extension BuildingError: CustomStringConvertible {
    /// What is wrong, for people.
    public var description: String {
        switch self {
        case .selection(let error): error.description
        case .duplicateCoin(let outpoint): "the coin \(outpoint) is there twice"
        case .noSuchCoin(let outpoint): "the coin \(outpoint) is not there"
        case .weightUnknown(let outpoint): "how the coin \(outpoint) is spent is not known"
        case .previousTransactionMissing(let outpoint): "the transaction that made the coin \(outpoint) is not there"
        case .noSuchOutput(let outpoint): "the transaction of the coin \(outpoint) has no such output"
        case .coinDiffers(let outpoint):
            "the transaction that made the coin \(outpoint) says otherwise about its amount or script"
        case .psbt(let error): error.description
        case .notReplaceable: "the transaction does not allow itself to be replaced (BIP-125)"
        case .rateNotHigher(let rate): "the new fee rate must be above the transaction's own, \(rate)"
        case .noSuchChange(let index): "the transaction has no output \(index)"
        case .amountsOverflow: "the amounts add up to more than 21 000 000 BTC, or to less than nothing"
        }
    }
}
