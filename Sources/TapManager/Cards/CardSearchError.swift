import Bitcoin
import ExplainedErrors
import TapProtocol

/// Why no card was found.
public enum CardSearchError: Error, Sendable {
    /// No card is on a reader, or none that matches; with those that are.
    case noCard(CardChoice, others: [CardAtHand])
    /// No card with an extended key is on a reader: no TAPSIGNER or SATSCHIP.
    case noSigner
    /// No further card that could help is on a reader.
    case noFurtherCard
    /// What is on the reader does not answer as a tap card: it may just be coming or going.
    case unreadable
    /// More than one card matches.
    case ambiguous([CardAtHand])
    /// The card is for the main network and a test network was requested, or the reverse.
    case wrongNetwork(CardAtHand, asked: Network)
    /// Several cards are on the readers, and none can add a missing signature.
    case noneCanSign(missing: [Fingerprint])
    /// The card does not have the fingerprint that was remembered for it, and by which it was chosen.
    case otherFingerprint(CardAtHand, expected: Fingerprint, found: Fingerprint)
    /// A fingerprint was requested, several cards have none that is known, and a CVC was given for any of them.
    case unknownFingerprints([CardIdent])
    /// How many cards are on the readers, and how many are needed.
    case tooFew(Int, of: Int)
    /// A reader, or the card on it, cannot be used.
    case obstacle(any ExplainedError)
    /// Nothing came in time; with the last obstacle.
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

    /// Whether it is worth looking again: something is not there yet, or not positioned well.
    var passesWithTime: Bool {
        switch code {
        case .noService, .noReader, .readerBusy, .readerGone, .simInUse, .noCard, .cardRemoved, .cardReset, .cardMute,
            .transportFailed:
            true
        default: false
        }
    }

    /// Whether an event of the readers shows that the obstacle is gone.
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
    /// The error's own code, or that of the obstacle: also after waiting, if there was no reader to put a card on.
    public var code: ErrorCode {
        switch self {
        case .noCard, .noSigner, .noFurtherCard, .unreadable, .tooFew: .noCard
        case .ambiguous, .unknownFingerprints: .ambiguousCard
        case .wrongNetwork: .wrongNetwork
        case .noneCanSign: .nothingToSign
        case .otherFingerprint: .anotherCard
        case .obstacle(let error): error.code
        case .timedOut(_, let obstacle): obstacle.isAbsenceOfReaders ? obstacle.code : .timedOut
        case .interrupted: .interrupted
        }
    }

    /// One sentence, or the obstacle's message.
    public var message: String {
        switch self {
        case .noCard(.any, _): "There is no card on the reader."
        case .noCard(.identContaining(let text), let others):
            "No card whose ident contains \(text) is on a reader." + (others.isEmpty ? "" : " Cards found:")
        case .noCard(.fingerprint(let fingerprint), let others):
            "No card with the fingerprint \(fingerprint) is on a reader." + (others.isEmpty ? "" : " Cards found:")
        case .noSigner: "No card with an extended key is on a reader."
        case .noFurtherCard: "No other card that could help is on a reader."
        case .unreadable: "The card on the reader does not answer as a tap card."
        case .ambiguous: "More than one card matches:"
        case .wrongNetwork(let card, let asked):
            "The card is for \(card.status.isTestnet ? "the test networks" : "bitcoin"), not for \(asked.nameInTexts)."
        case .noneCanSign(let missing):
            "None of the cards on the readers can add the missing signatures"
                + (missing.isEmpty ? "." : ". Needed: \(missing.map(\.description).joined(separator: " or ")).")
        case .otherFingerprint(let card, let expected, let found):
            "\(card.label) has the fingerprint \(found), not \(expected), which was remembered for it."
        case .unknownFingerprints:
            "Several cards have no known fingerprint, and the given CVC is not tried on all of them."
        case .tooFew(let count, let needed):
            "\(count) of \(needed.counted("card")) \(count == 1 ? "is" : "are") on the readers."
        case .obstacle(let error): error.message
        case .timedOut(.reader, let obstacle): "No reader was connected in time. \(obstacle.message)"
        case .timedOut(.card, let obstacle): "No card was put on the reader in time. \(obstacle.message)"
        case .interrupted: "Interrupted."
        }
    }

    /// The cards on the readers, or the obstacle's details.
    public var details: [String] {
        switch self {
        case .noCard(_, let cards), .ambiguous(let cards):
            cards.map { "  \($0.title) on \($0.reader.spec)" }
        case .unknownFingerprints(let cards): cards.map { "  \($0)" }
        case .obstacle(let error), .timedOut(_, let error): error.details
        default: []
        }
    }

    /// The error's own remedy, or that of the obstacle.
    public var remedy: String {
        switch self {
        case .obstacle(let error), .timedOut(_, let error): error.remedy
        case .unknownFingerprints: "Name one, or let each show its extended key once: then its fingerprint is known."
        case .tooFew: "Put the others on readers, too, or on the same reader, one after the other."
        default: ""
        }
    }

    /// What is remembered about a card, if that is wrong; otherwise the subject of the obstacle.
    public var subject: ErrorSubject? {
        switch self {
        case .obstacle(let error): error.subject
        case .timedOut(_, let obstacle): obstacle.isAbsenceOfReaders ? obstacle.subject : nil
        case .otherFingerprint: .memory
        case .tooFew: .choice(.patience)
        default: nil
        }
    }
}

extension ExplainedError {
    /// Whether there is no reader, or no service that lists them.
    fileprivate var isAbsenceOfReaders: Bool { [.noService, .noReader].contains(code) }
}
