import Bitcoin
import ExplainedErrors

/// Why slots are not swept.
package enum SweepError: Error, Sendable, Equatable {
    /// Only unsealed slots were to be swept, and there are none.
    case noneOpened
    /// The slots are empty, according to a server of this name, which may not have looked for unconfirmed coins.
    case nothingThere(server: String, seesUnconfirmed: Bool)
    /// This much is unconfirmed, and there is nothing else.
    case onlyUnconfirmed(Amount)
    /// The fee would be larger than the balance, or would leave only dust.
    case nothingArrives
    /// A stored sweep of the coins is signed already, and differs from the wanted one.
    case otherSigned(TransactionID)
    /// A stored sweep spends something else than the card's unsealed slots.
    case otherCard
    /// No stored sweep that was planned here has this id.
    case noSweep(TransactionID)
}

extension SweepError: ExplainedError {
    /// What went wrong, as all layers name it.
    package var code: ErrorCode {
        switch self {
        case .noneOpened, .nothingThere, .onlyUnconfirmed: .nothingToSweep
        case .nothingArrives: .feeTooHigh
        case .otherSigned: .coinsTaken
        case .otherCard: .nothingToSign
        case .noSweep: .noSuchTransaction
        }
    }

    /// What happened.
    package var message: String {
        switch self {
        case .noneOpened: "No slot of this card has been unsealed yet."
        case .nothingThere(let server, true): "The slots are empty, according to \(server)."
        case .nothingThere(let server, false):
            "The slots hold nothing confirmed, according to \(server), which does not report unconfirmed payments."
        case .onlyUnconfirmed(let amount): "\(amount.satoshis) sat are unconfirmed, and there is nothing else to sweep."
        case .nothingArrives:
            "At this fee rate, nothing would arrive: the fee is larger than the balance, or would leave only dust."
        case .otherSigned(let id):
            "The stored sweep \(id) is already signed, but differs: it spends other coins of the slots, or pays "
                + "a different fee."
        case .otherCard: "The transaction spends something other than this card's unsealed slots."
        case .noSweep(let id): "There is no stored sweep \(id)."
        }
    }

    /// What to do about it; empty when there is nothing to add.
    package var remedy: String {
        switch self {
        case .noneOpened: "The sealed one can be swept, too. That unseals it permanently."
        case .onlyUnconfirmed:
            "Wait until they are confirmed, or sweep them now. Their sender can still take them back."
        case .nothingArrives: "Use a lower fee rate, or wait until fees are lower."
        case .otherSigned: "Send it, or delete it and sweep again."
        case .nothingThere, .otherCard, .noSweep: ""
        }
    }

    /// The choice to change, or the stored sweep.
    package var subject: ErrorSubject? {
        switch self {
        case .noneOpened: .choice(.slots)
        case .onlyUnconfirmed: .choice(.coins)
        case .otherSigned(let id): .sweep(id)
        case .nothingThere, .nothingArrives, .otherCard, .noSweep: nil
        }
    }
}
