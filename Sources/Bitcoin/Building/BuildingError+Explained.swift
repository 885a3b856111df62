import ExplainedErrors

extension BuildingError: ExplainedError {
    /// Whether building failed, or replacing an earlier transaction.
    public var code: ErrorCode {
        switch self {
        case .selection(let error): error.code
        case .duplicateCoin, .noSuchCoin, .weightUnknown, .previousTransactionMissing, .noSuchOutput, .coinDiffers,
            .psbt:
            .cannotBuild
        case .notReplaceable, .rateNotHigher, .noSuchChange, .amountsOverflow: .cannotBump
        }
    }

    /// What is wrong.
    public var message: String { description.asSentence }

    /// The coin, if the error is about one.
    public var subject: ErrorSubject? {
        switch self {
        case .duplicateCoin(let outpoint), .noSuchCoin(let outpoint), .weightUnknown(let outpoint),
            .previousTransactionMissing(let outpoint), .noSuchOutput(let outpoint), .coinDiffers(let outpoint):
            .coin(outpoint)
        case .psbt(let error): error.subject
        case .selection, .notReplaceable, .rateNotHigher, .noSuchChange, .amountsOverflow: nil
        }
    }
}
