import ExplainedErrors

/// Stable codes, and what people are told.
extension TapError: ExplainedError {
    /// What went wrong, as all layers name it.
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
        case .notATapCard(let word): "The card is no TAPSIGNER, SATSCARD or SATSCHIP (it answers \(word))."
        case .anotherCard(let expected, let found): "Another card lies on the reader: \(found) instead of \(expected)."
        case .statusWord(let word, let command): "The card answered `\(command)` with status word \(word)."
        case .badResponse(let command, let field, let problem):
            "The card's answer to `\(command)` makes no sense: \(field.isEmpty ? "it" : "`\(field)`") \(problem)."
        case .card(let error, let command): "The card refused `\(command)`: \(error.text) (\(error.number))."
        case .wrongCVC: "The CVC is wrong."
        case .unprovenCVC:
            "The card was taken away \(CVCTrials.limit) times before it answered whether the CVC is right."
        case .cvcNeeded(let command): "`\(command)` needs the card's CVC."
        case .rateLimited(let seconds): "After wrong CVCs the card insists on a delay: \(seconds) s are left."
        case .badProof(let proof, let detail) where proof.isOfSigning:
            "ALARM: what came back is not the signature that was asked for (\(proof.rawValue)): \(detail). Somebody between "
                + "you and the card may have had it sign something else."
        case .badProof(let proof, let detail): "The card failed a proof (\(proof.rawValue)): \(detail)."
        case .invalidCVC(let problem): problem.message
        case .invalidArgument(let command, let problem): "`\(command)`: \(problem)."
        case .notSupported(let command, let product): "A \(product.displayName) has no `\(command)`."
        case .weakRandomness: "The random source repeats itself."
        case .badBackup(let problem): problem.message
        }
    }

    /// What to do about it; empty when there is nothing to add.
    public var remedy: String {
        switch self {
        case .reader(let error): error.remedy
        case .notATapCard: "Lay a tap card on the reader, and nothing else."
        case .anotherCard: "Lay the first card back on the reader."
        case .statusWord: "Lay the card flat and still on the reader and try again."
        case .badResponse: "Lay the card flat and still on the reader, or on another one, and try again."
        case .card(let error, _): error.remedy
        case .wrongCVC(.delayed(let seconds)):
            "The security delay has begun: \(seconds) s must pass before the next try."
        case .wrongCVC(.atMost(0)): "The next wrong one may begin the security delay."
        case .wrongCVC(.atMost(let count)):
            "At most \(count.counted("more wrong try", "more wrong tries")) before a delay of 15 s."
        case .unprovenCVC:
            "It is not sent again by itself, since the third wrong one begins the security delay. "
                + "Make sure that the CVC is right, leave the card on the reader, and try again."
        case .cvcNeeded: "It is printed on the back of the card, unless it was changed."
        case .rateLimited: "Leave the card on the reader until the delay has passed."
        case .badProof(let proof, _) where proof.isOfSigning:
            "Do not sign again here. Move the money of this key to another one now, on another reader and machine; a "
                + "TAPSIGNER or SATSCHIP needs a new CVC, too, which is to be set there."
        case .badProof(.version, _):
            "An older version proves less. Look at the card on a reader that you trust: if the earlier, higher version was the "
                + "lie, make the store forget the card."
        case .badProof(.remembered, _):
            "Do not use this card here: something alters its answers, now or when it was seen before. If it was before, make the "
                + "store forget the card, on a reader that you trust."
        case .badProof: "Do not use this card: it is counterfeit or tampered with, or something alters its answers."
        case .invalidCVC: "It is printed on the back of the card, unless it was changed."
        case .invalidArgument: ""
        case .notSupported(_, let product): product.purpose
        case .weakRandomness: "Something is wrong with this system; do not use it for keys."
        case .badBackup(let problem): problem.remedy
        }
    }

    /// The reader, the product, the card that is missed, or what is remembered of a card.
    public var subject: ErrorSubject? {
        switch self {
        case .reader(let error): error.subject
        case .anotherCard(let expected, _): .card(expected.description)
        case .notSupported(_, let product): .product(product.displayName)
        case .badProof(.version, _), .badProof(.remembered, _): .memory
        default: nil
        }
    }
}

extension TapError: CustomStringConvertible {
    /// The message, then the remedy in brackets.
    public var description: String { remedy.isEmpty ? message : "\(message) (\(remedy))" }
}

extension Proof {
    /// Whether it is about a signature that money hangs on: one that is not what was asked for is an alarm.
    ///
    /// Spec: protocol, "Who can forge what" (`digest` of `sign`).
    var isOfSigning: Bool { self == .signature || self == .signingKey }
}

extension CardError: ExplainedError {
    /// The card refused, unless there is a word for why.
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
