import Bitcoin
import ExplainedErrors

extension CreationError: ExplainedError {
    /// What went wrong, as all layers name it.
    package var code: ErrorCode {
        switch self {
        case .building(let error): error.code
        case .unknownCoin, .immatureCoin, .unconfirmedCoin: .noSuchCoin
        case .takenCoin: .coinsTaken
        case .heldBack: .insufficientFunds
        case .notSpendable, .noSuchSpendingPath, .notOpen, .taprootScript, .otherLockTime, .uselessPreimage:
            .cannotBuild
        case .changeUnknown, .hasDescendant, .confirmed: .cannotBump
        case .refused(let refusal): refusal.code
        case .feeAboveSent: .feeTooHigh
        case .opensDestination: .slotOpened
        case .wallet(let error): error.code
        case .store(let error): error.code
        }
    }

    /// Why no transaction was built, with the amounts that are missing.
    package var message: String {
        switch self {
        case .building(let error): error.message
        case .unknownCoin(let outpoint): "The wallet has no coin \(outpoint)."
        case .takenCoin(let outpoint, let id): "The stored transaction \(id) spends the coin \(outpoint)."
        case .immatureCoin(let outpoint):
            "The coin \(outpoint) was mined less than \(WalletCoin.coinbaseMaturity) blocks ago."
        case .unconfirmedCoin(let outpoint):
            "The coin \(outpoint) comes from an unconfirmed transaction of others, who can still take it back."
        case .heldBack(let needed, let available, let taken, let frozen, let unconfirmed):
            "Not enough money: " + (needed > .zero ? "\(needed.satoshis) sat are needed, but only " : "")
                + "\(available.satoshis) sat can be spent; \(Self.reasons(taken, frozen, unconfirmed))."
        case .notSpendable: "The wallet's descriptors do not show how to spend its coins."
        case .taprootScript(let number):
            "Spending path \(number) is a taproot script, and tap cards do not sign for taproot."
        case .noSuchSpendingPath(let number, let count):
            count == 0
                ? "The wallet has no spending paths to choose from."
                : "The wallet has no spending path \(number): it has \(count)."
        case .notOpen(let number, let height):
            (number.map { "Spending path \($0) is not open yet" } ?? "No spending path is open yet")
                + (height.map { ": it opens at block \($0)." } ?? ", and it is not known when it opens.")
        case .otherLockTime(let number, let needed):
            TimeLock.isDate(needed)
                ? "Spending path \(number) needs a time as its lock time, but a block height was chosen."
                : "Spending path \(number) needs a block height as its lock time, but a time was chosen."
        case .uselessPreimage(let number): "No spending path of the wallet takes preimage \(number)."
        case .changeUnknown:
            "The transaction belongs to no stored wallet, so it is not known which output is change."
        case .hasDescendant(let id):
            "The transaction \(id) spends an output of this one, and would be evicted with it."
        case .confirmed(let id): "The confirmed transaction \(id) already spends the same coins."
        case .refused(let refusal): refusal.message
        case .feeAboveSent(let fee, let sent):
            "The fee would be \(fee.satoshis) sat, and only \(sent.satoshis) sat would arrive."
        case .opensDestination(let address):
            "\(address) belongs to a slot of this card that is unsealed, or would be now. Anyone who sees its key can "
                + "take the money."
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
        case .takenCoin: "Delete that transaction if you do not want to send it. That frees the coin."
        case .immatureCoin: "Wait for more blocks."
        case .unconfirmedCoin: "Wait until it is confirmed, or allow unconfirmed coins."
        case .heldBack(_, _, let taken, let frozen, let unconfirmed):
            [
                taken > .zero ? "Deleting a stored transaction frees its coins." : nil,
                frozen > .zero ? "Frozen coins are spent only if you choose them." : nil,
                unconfirmed > .zero ? "Unconfirmed coins are spent only if you allow it." : nil,
            ].compactMap(\.self).joined(separator: " ")
        case .taprootScript: "Build it with the program that the signers use."
        case .notSpendable: "Add the wallet with a descriptor that has its keys instead of addresses."
        case .noSuchSpendingPath: "Choose one of the wallet's own."
        case .notOpen(let number, _): number == nil ? "Wait." : "Wait, or choose another spending path."
        case .otherLockTime(_, let needed): "Leave the lock time out, or choose at least \(needed)."
        case .uselessPreimage: "Leave it out, or use the wallet that it is for."
        case .changeUnknown: "Replace it with the program that made it."
        case .hasDescendant: "Replace that one, or wait."
        case .refused(let refusal): refusal.remedy
        case .feeAboveSent: "Use a lower fee rate, or wait until fees are lower."
        case .opensDestination: "Choose another address."
        case .wallet(let error): error.remedy
        case .store(let error): error.remedy
        case .unknownCoin, .confirmed: ""
        }
    }

    /// The coin, the conflicting transaction, or the subject from the layer below.
    package var subject: ErrorSubject? {
        switch self {
        case .building(let error): error.subject
        case .unknownCoin(let outpoint), .immatureCoin(let outpoint): .coin(outpoint)
        case .takenCoin(_, let id), .hasDescendant(let id), .confirmed(let id): .transaction(id)
        case .heldBack, .unconfirmedCoin: .choice(.coins)
        case .refused(let refusal): refusal.subject
        case .wallet(let error): error.subject
        case .store(let error): error.subject
        case .notSpendable, .noSuchSpendingPath, .notOpen, .taprootScript, .otherLockTime, .uselessPreimage,
            .changeUnknown, .feeAboveSent, .opensDestination:
            nil
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
