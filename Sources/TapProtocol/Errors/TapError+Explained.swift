import ExplainedErrors

/// Stable codes, and the texts shown to people.
extension TapError: ExplainedError {
    /// What went wrong, as a code shared by all layers.
    public var code: ErrorCode {
        switch self {
        case .reader(let error): error.code
        case .notATapCard: .notATapCard
        case .anotherCard: .anotherCard
        case .statusWord: .statusWord
        case .badResponse: .badResponse
        case .card(let error, _): error.code
        case .wrongCVC: .wrongCVC
        case .unprovenCVC: .unprovenCVC
        case .cvcNeeded: .cvcNeeded
        case .rateLimited: .rateLimited
        case .badProof(let proof, _): proof.isOfSigning ? .alteredSignature : .badProof
        case .invalidCVC: .badCVC
        case .invalidArgument: .badArgument
        case .notSupported: .notSupported
        case .weakRandomness: .weakRandomness
        case .badBackup(let problem): problem.code
        }
    }

    /// What happened.
    public var message: String {
        switch self {
        case .reader(let error): error.message
        case .notATapCard(let word): "The card is not a TAPSIGNER, SATSCARD or SATSCHIP (it answered \(word))."
        case .anotherCard(let expected, let found):
            "A different card is on the reader: \(found) instead of \(expected)."
        case .statusWord(let word, let command): "The card answered `\(command)` with status word \(word)."
        case .badResponse(let command, let field, let problem):
            "The card's response to `\(command)` is invalid: \(field.isEmpty ? "it" : "`\(field)`") \(problem)."
        case .card(let error, let command): "The card refused `\(command)`: \(error.text) (\(error.number))."
        case .wrongCVC: "The CVC is wrong."
        case .unprovenCVC:
            "The card was removed \(CVCTrials.limit) times before it confirmed or rejected the CVC."
        case .cvcNeeded(let command): "`\(command)` needs the card's CVC."
        case .rateLimited(let seconds): "The card is locked out after wrong CVCs: \(seconds) s are left."
        case .badProof(let proof, let detail) where proof.isOfSigning:
            "ALARM: the card did not return the requested signature (\(proof.rawValue)): \(detail). Something between "
                + "you and the card may have made it sign something else."
        case .badProof(let proof, let detail): "The card failed a proof (\(proof.rawValue)): \(detail)."
        case .invalidCVC(let problem): problem.message
        case .invalidArgument(let command, let problem): "`\(command)`: \(problem)."
        case .notSupported(let command, let product): "A \(product.displayName) has no `\(command)` command."
        case .weakRandomness: "The random number source repeats itself."
        case .badBackup(let problem): problem.message
        }
    }

    /// What to do about it; empty when there is nothing to add.
    public var remedy: String {
        switch self {
        case .reader(let error): error.remedy
        case .notATapCard: "Put a tap card on the reader, and nothing else."
        case .anotherCard: "Put the first card back on the reader."
        case .statusWord: "Put the card flat on the reader, keep it still, and try again."
        case .badResponse:
            "Put the card flat on the reader, keep it still, and try again. If that fails, try another reader."
        case .card(let error, _): error.remedy
        case .wrongCVC(.delayed(let seconds)):
            "The card is now locked out: \(seconds) s must pass before the next try."
        case .wrongCVC(.atMost(0)): "The next wrong CVC may lock the card."
        case .wrongCVC(.atMost(let count)):
            "At most \(count.counted("more wrong try", "more wrong tries")) before the card locks for 15 s."
        case .unprovenCVC:
            "It is not sent again automatically, because the third wrong CVC locks the card. "
                + "Check the CVC, leave the card on the reader, and try again."
        case .cvcNeeded: "It is printed on the back of the card, unless you have changed it."
        case .rateLimited: "Leave the card on the reader until the lockout is over."
        case .badProof(let proof, _) where proof.isOfSigning:
            "Do not sign again here. Move this key's money to another key now, on another reader and computer. A "
                + "TAPSIGNER or SATSCHIP also needs a new CVC; set it there."
        case .badProof(.version, _):
            "An older version proves less. Check the card on a reader that you trust. If the earlier, higher version was the "
                + "false one, make the store forget the card."
        case .badProof(.remembered, _):
            "Do not use this card here: something alters its responses now, or altered them earlier. If it was earlier, "
                + "make the store forget the card, on a reader that you trust."
        case .badProof: "Do not use this card: it is counterfeit or tampered with, or something alters its responses."
        case .invalidCVC: "It is printed on the back of the card, unless you have changed it."
        case .invalidArgument: ""
        case .notSupported(_, let product): product.purpose
        case .weakRandomness: "Something is wrong with this computer. Do not use it for keys."
        case .badBackup(let problem): problem.remedy
        }
    }

    /// The reader, the product, the missing card, the lockout, or what is remembered about a card.
    public var subject: ErrorSubject? {
        switch self {
        case .reader(let error): error.subject
        case .anotherCard(let expected, _): .card(expected)
        case .wrongCVC(.delayed(let seconds)), .rateLimited(let seconds): .lockout(seconds)
        case .notSupported(_, let product): .product(product)
        case .badProof(.version, _), .badProof(.remembered, _): .memory
        default: nil
        }
    }
}

extension TapError: CustomStringConvertible {
    /// The message, then the remedy in parentheses.
    public var description: String { remedy.isEmpty ? message : "\(message) (\(remedy))" }
}

extension Proof {
    /// Whether this proof is about a signature: a wrong one can cost money and is an alarm.
    ///
    /// Spec: protocol, "Who can forge what" (`digest` of `sign`).
    var isOfSigning: Bool { self == .signature || self == .signingKey }
}

extension CardError: ExplainedError {
    /// The refusal's own code, or else the general one.
    public var code: ErrorCode {
        switch kind {
        case .unluckyNumber: .unluckyNumber
        case .backupFirst: .backupFirst
        default: .cardError
        }
    }

    /// The card's text and number.
    public var message: String { "The card refused: \(text) (\(number))." }

    /// What to do about it; empty when there is nothing to add.
    public var remedy: String {
        switch kind {
        case .unluckyNumber: "Try again."
        case .backupFirst: "Make a backup first."
        case .invalidCommand, .invalidState: "The card's state does not allow it."
        default: ""
        }
    }
}
