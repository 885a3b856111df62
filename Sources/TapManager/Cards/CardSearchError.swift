import Bitcoin
import ExplainedErrors
import TapProtocol

/// Why no card was found.
public enum CardSearchError: Error, Sendable {
    /// No card lies on a reader, or none that is meant; with those that do.
    case noCard(CardChoice, others: [CardAtHand])
    /// No card with an extended key lies on a reader: no TAPSIGNER or SATSCHIP.
    case noSigner
    /// No card that was not there before, and could help, lies on a reader.
    case noFurtherCard
    /// What lies on the reader does not answer as a tap card: it may just be taken away, or laid down.
    case unreadable
    /// Several cards would do.
    case ambiguous([CardAtHand])
    /// The card is for the main network and a test network was asked for, or the reverse.
    case wrongNetwork(CardAtHand, asked: Network)
    /// Several cards lie on the readers, and none can sign what is missing.
    case noneCanSign(missing: [Fingerprint])
    /// The card has another fingerprint than the one that was remembered of it, by which it was chosen.
    case otherFingerprint(CardAtHand, expected: Fingerprint, found: Fingerprint)
    /// So many cards lie on the readers, and more are needed.
    case tooFew(Int, of: Int)
    /// A reader, or the card on it, cannot be used.
    case obstacle(any ExplainedError)
    /// Nothing came in the time that was given; with what was missing last.
    case timedOut(Missing, any ExplainedError)
    /// The task was cancelled.
    case interrupted

    /// What was waited for.
    public enum Missing: Sendable {
        /// Any reader.
        case reader
        /// A card.
        case card
    }

    /// Whether it is worth looking again: something is not there yet, or lies badly.
    var passesWithTime: Bool {
        switch code {
        case .noService, .noReader, .readerBusy, .readerGone, .simInUse, .noCard, .cardRemoved, .cardReset, .cardMute,
            .transportFailed:
            true
        default: false
        }
    }

    /// Whether an event of the readers tells when the obstacle is gone.
    var isToldByReaders: Bool {
        switch code {
        case .noCard, .noReader, .noService, .readerGone: true
        default: false
        }
    }

    /// An error of a reader or a card.
    init(_ error: any Error) {
        switch error {
        case let error as CardSearchError: self = error
        case is CancellationError: self = .interrupted
        case let error as any ExplainedError: self = .obstacle(error)
        default: self = .obstacle(FlowError(error))
        }
    }
}

extension CardSearchError: ExplainedError {
    /// That of the obstacle, where there is one.
    public var code: ErrorCode {
        switch self {
        case .noCard, .noSigner, .noFurtherCard, .unreadable, .tooFew: .noCard
        case .ambiguous: .ambiguousCard
        case .wrongNetwork: .wrongNetwork
        case .noneCanSign: .nothingToSign
        case .otherFingerprint: .anotherCard
        case .obstacle(let error): error.code
        case .timedOut: .timedOut
        case .interrupted: .interrupted
        }
    }

    /// One sentence, or that of the obstacle.
    public var message: String {
        switch self {
        case .noCard(.any, _): "No card lies on the reader."
        case .noCard(.identContaining(let text), let others):
            "No card whose ident contains \(text) lies on a reader." + (others.isEmpty ? "" : " There are:")
        case .noSigner: "No card with an extended key lies on a reader."
        case .noFurtherCard: "No other card that could help lies on a reader."
        case .unreadable: "What lies there does not answer as a tap card."
        case .ambiguous: "Several cards would do:"
        case .wrongNetwork(let card, let asked):
            "The card is for \(card.status.isTestnet ? "the test networks" : "bitcoin"), not for \(asked)."
        case .noneCanSign(let missing):
            "None of the cards on the readers can sign what is missing"
                + (missing.isEmpty ? "." : ": that is for \(missing.map(\.description).joined(separator: " or ")).")
        case .otherFingerprint(let card, let expected, let found):
            "\(card.ident) has the fingerprint \(found), and not \(expected), which was remembered for it."
        case .tooFew(let count, let needed): "\(count) of \(needed) cards lie on the readers."
        case .obstacle(let error): error.message
        case .timedOut(.reader, let obstacle): "No reader came in time. \(obstacle.message)"
        case .timedOut(.card, let obstacle): "No card came in time. \(obstacle.message)"
        case .interrupted: "Interrupted."
        }
    }

    /// The cards that lie there, or more of the obstacle.
    public var details: [String] {
        switch self {
        case .noCard(_, let cards), .ambiguous(let cards):
            cards.map { "  \($0.status.product.displayName) \($0.called) on \($0.reader.spec)" }
        case .obstacle(let error): error.details
        default: []
        }
    }

    /// That of the obstacle, where there is one.
    public var remedy: String {
        switch self {
        case .obstacle(let error), .timedOut(_, let error): error.remedy
        case .tooFew: "Lay the others on readers too, or lay one down after the other while they are waited for."
        default: ""
        }
    }

    /// That of the obstacle, where there is one; what is remembered of a card, where that is wrong.
    public var subject: ErrorSubject? {
        switch self {
        case .obstacle(let error): error.subject
        case .otherFingerprint: .memory
        case .tooFew: .choice(.patience)
        default: nil
        }
    }
}
