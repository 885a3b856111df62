import Bitcoin
import ExplainedErrors

/// Why a rehearsal proves nothing.
package enum RehearsalError: Error, Sendable, Equatable {
    /// The backup is of none of the wallet's keys.
    case strangeBackup(Fingerprint)
    /// Two of the backups are of the same card.
    case sameBackup(Fingerprint)
    /// The backup has another key at this path than the wallet says.
    case falseKey(KeyOrigin)
    /// All that this path takes was there, but nodes would not take the transaction, or it lacks signatures; why.
    case notSpendable(path: Int, String)
    /// The path with this number can be taken before its lock has passed.
    case notLocked(path: Int)
    /// The wallet does not show how to spend its coins, or has more spending paths than are listed.
    case noPaths(String)
    /// The wallet has more branches than are rehearsed.
    case tooManyBranches(Int)
}

extension RehearsalError: ExplainedError {
    /// A failed proof, or a bad argument.
    package var code: ErrorCode {
        switch self {
        case .strangeBackup, .sameBackup: .otherCardsBackup
        case .falseKey, .notSpendable, .notLocked: .badProof
        case .noPaths, .tooManyBranches: .cannotBuild
        }
    }

    /// What does not match.
    package var message: String {
        switch self {
        case .strangeBackup(let fingerprint):
            "The wallet has no key of this backup, whose fingerprint is \(fingerprint)."
        case .sameBackup(let fingerprint): "Two of the backups are of the same card, \(fingerprint)."
        case .falseKey(let origin):
            "The backup has a different key at \(origin.path) than the wallet says: the card with the fingerprint "
                + "\(origin.fingerprint) cannot sign for this wallet."
        case .notSpendable(let path, let reason): "Spending path \(path) could not be taken: \(reason.asSentence)"
        case .notLocked(let path): "Spending path \(path) can be taken before its lock has passed."
        case .noPaths(let name):
            "The wallet “\(name)” does not show how to spend its coins, or has too many combinations of locks to list."
        case .tooManyBranches(let limit): "The wallet has more than \(limit) branches, the most that are rehearsed."
        }
    }

    /// What to do about it.
    package var remedy: String {
        switch self {
        case .strangeBackup: "Give only backups of this wallet's cards."
        case .sameBackup: "Give each card's backup once."
        case .falseKey, .notSpendable, .notLocked: "Do not pay to this wallet. Move its money away while you can."
        case .noPaths, .tooManyBranches: ""
        }
    }
}
