import ExplainedErrors

/// What goes wrong between the host and a card, below the card's own answers.
public struct ReaderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What programs tell failures apart by; each stands for one `ErrorCode`.
    public enum Kind: Sendable, CaseIterable {
        /// The service that owns the readers (pcscd) does not run or cannot be reached.
        case noService
        /// No reader is attached, or none has the asked name.
        case noReader
        /// The reader was unplugged, or its service ended, while in use.
        case readerGone
        /// Another program holds the card.
        case readerBusy
        /// The system's policy (polkit, file modes) refuses access.
        case permissionDenied
        /// The reader is there, and no card lies on it.
        case noCard
        /// The card was taken away during an exchange; whether the command ran is unknown.
        case cardRemoved
        /// Someone reset the card, or its power was cut for a moment; its session state is gone.
        case cardReset
        /// A card is there and does not answer; broken, badly placed, or no smart card at all.
        case cardMute
        /// The wait was ended by the caller.
        case cancelled
        /// Nothing happened in the given time.
        case timedOut
        /// Any other failure of reader, driver or cable, or an answer that is no APDU.
        case transportFailed
    }

    /// Says whether waiting, laying the card back or another reader can help.
    public let kind: Kind
    /// What happened, with the driver's own error where there is one: whole sentences. Holds no secret.
    public let message: String
    /// What to do about it, in whole sentences; empty when there is nothing to add.
    public let remedy: String
    /// Which reader, or which simulated card's file; `nil` when the message needs none.
    public let subject: ErrorSubject?

    /// - Parameters:
    ///   - message: whole sentences, without secrets; texts of the driver's belong here.
    ///   - remedy: whole sentences that name no command of ours; empty when there is nothing to add.
    public init(_ kind: Kind, _ message: String, remedy: String = "", subject: ErrorSubject? = nil) {
        self.kind = kind
        self.message = message
        self.remedy = remedy
        self.subject = subject
    }

    /// The message, then the remedy in brackets.
    public var description: String { remedy.isEmpty ? message : "\(message) (\(remedy))" }

    /// Whether the card was lost in a way that laying it back on the reader cures.
    public var isCardLost: Bool {
        switch kind {
        case .noCard, .cardRemoved, .cardReset: true
        default: false
        }
    }

    /// Whether the reader itself, or the service that owns it, was lost in a way that plugging it in or starting the
    /// service cures.
    public var isReaderLost: Bool {
        switch kind {
        case .noService, .noReader, .readerGone: true
        default: false
        }
    }
}
