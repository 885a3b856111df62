import Bitcoin
import ExplainedErrors

extension CreationError: ExplainedError {
    /// What went wrong, as all layers name it.
    package var code: ErrorCode {
        switch self {
        case .building(let error): error.code
        case .unknownCoin, .immatureCoin: .noSuchCoin
        case .takenCoin: .coinsTaken
        case .heldBack: .insufficientFunds
        case .notSpendable: .cannotBuild
        case .changeUnknown, .hasDescendant, .confirmed: .cannotBump
        case .refused(let refusal): refusal.code
        case .feeAboveSent: .feeTooHigh
        case .opensDestination: .slotOpened
        case .wallet(let error): error.code
        case .store(let error): error.code
        }
    }

    /// Why no transaction was built, as sentences with the amounts that are missing.
    package var message: String {
        switch self {
        case .building(let error): error.message
        case .unknownCoin(let outpoint): "The wallet has no coin \(outpoint)."
        case .takenCoin(let outpoint, let id): "The stored transaction \(id) spends the coin \(outpoint)."
        case .immatureCoin(let outpoint):
            "The coin \(outpoint) was mined less than \(WalletCoin.coinbaseMaturity) blocks ago."
        case .heldBack(let needed, let available, let taken, let frozen, let unconfirmed):
            "There is not enough: " + (needed > .zero ? "\(needed.satoshis) sat are needed, and " : "")
                + "\(available.satoshis) sat may be spent; \(Self.reasons(taken, frozen, unconfirmed))."
        case .notSpendable: "The wallet's descriptors do not tell how its coins are spent."
        case .changeUnknown: "The transaction is not of one of these wallets, so which output is change is not known."
        case .hasDescendant(let id):
            "The transaction \(id) spends what this one pays, and would be thrown out with it."
        case .confirmed(let id): "Its coins are spent already, by \(id), which is in a block."
        case .refused(let refusal): refusal.message
        case .feeAboveSent(let fee, let sent):
            "The fee would be \(fee.satoshis) sat, and only \(sent.satoshis) sat would arrive."
        case .opensDestination(let address):
            "\(address) is an address of this card whose slot was unsealed, or is now: whoever sees its key can take the money."
        case .wallet(let error): error.message
        case .store(let error): error.message
        }
    }

    /// The other reasons of a refusal.
    package var details: [String] {
        if case .refused(let refusal) = self { refusal.details } else { [] }
    }

    /// What to do about it; empty when there is nothing to add.
    package var remedy: String {
        switch self {
        case .building(let error): error.remedy
        case .takenCoin: "Delete that transaction if it is not to be sent: that frees the coin."
        case .immatureCoin: "Wait for more blocks."
        case .heldBack(_, _, let taken, let frozen, let unconfirmed):
            [
                taken > .zero ? "Deleting a stored transaction frees its coins." : nil,
                frozen > .zero ? "Frozen coins are spent when they are named." : nil,
                unconfirmed > .zero ? "Unconfirmed ones are spent when that is allowed." : nil,
            ].compactMap(\.self).joined(separator: " ")
        case .notSpendable: "Add the wallet with a descriptor of its keys instead of addresses."
        case .changeUnknown: "Let the program that made it replace it."
        case .hasDescendant: "Replace that one, or wait."
        case .refused(let refusal): refusal.remedy
        case .feeAboveSent: "Use a lower fee rate, or wait until fees are lower."
        case .opensDestination: "Name another address."
        case .wallet(let error): error.remedy
        case .store(let error): error.remedy
        case .unknownCoin, .confirmed: ""
        }
    }

    /// The coin, the transaction that is in the way, or what the layer below names.
    package var subject: ErrorSubject? {
        switch self {
        case .building(let error): error.subject
        case .unknownCoin(let outpoint), .immatureCoin(let outpoint): .coin("\(outpoint)")
        case .takenCoin(_, let id), .hasDescendant(let id), .confirmed(let id): .transaction("\(id)")
        case .heldBack: .choice(.coins)
        case .refused(let refusal): refusal.subject
        case .wallet(let error): error.subject
        case .store(let error): error.subject
        case .notSpendable, .changeUnknown, .feeAboveSent, .opensDestination: nil
        }
    }

    private static func reasons(_ taken: Amount, _ frozen: Amount, _ unconfirmed: Amount) -> String {
        [
            taken > .zero ? "\(taken.satoshis) sat are in stored transactions" : nil,
            frozen > .zero ? "\(frozen.satoshis) sat are frozen by their labels" : nil,
            unconfirmed > .zero ? "\(unconfirmed.satoshis) sat come from others and are unconfirmed" : nil,
        ].compactMap(\.self).joined(separator: ", ")
    }
}
