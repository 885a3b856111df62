import ExplainedErrors

/// What goes wrong between the host and a card, below the level of the card's own responses.
public struct ReaderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What programs use to tell failures apart; each stands for one `ErrorCode`.
    public enum Kind: Sendable, CaseIterable {
        /// The service that owns the readers (pcscd) is not running or cannot be reached.
        case noService
        /// No reader is attached, or none matches the requested name.
        case noReader
        /// The reader was unplugged, or its service ended, while in use.
        case readerGone
        /// Another program, or a driver of the kernel, is using the card or the reader.
        case readerBusy
        /// The system's policy (polkit, file modes) refuses access.
        case permissionDenied
        /// The reader is there, but no card is on it.
        case noCard
        /// The card was removed during an exchange; whether the command ran is unknown.
        case cardRemoved
        /// The card was reset, or briefly lost power; its session state is gone.
        case cardReset
        /// A card is there but does not answer: it is broken, badly placed, or not a smart card.
        case cardMute
        /// The caller ended the wait.
        case cancelled
        /// Nothing happened in the given time.
        case timedOut
        /// Any other failure of the reader, the driver or the cable, or a response that is not an APDU.
        case transportFailed
    }

    /// Shows whether waiting, putting the card back or another reader can help.
    public let kind: Kind
    /// What happened, with the driver's own error if there is one: complete sentences. Contains no secret.
    public let message: String
    /// What to do about it, in complete sentences; empty when there is nothing to add.
    public let remedy: String
    /// Which reader, or which simulated card's file; `nil` when the message does not need one.
    public let subject: ErrorSubject?
    /// A more exact code than the kind's; `nil`: the kind's.
    let ownCode: ErrorCode?

    /// - Parameters:
    ///   - message: complete sentences, without secrets; may include the driver's own text.
    ///   - remedy: complete sentences that do not name tapkit commands; empty when there is nothing to add.
    public init(_ kind: Kind, _ message: String, remedy: String = "", subject: ErrorSubject? = nil) {
        self.kind = kind
        self.message = message
        self.remedy = remedy
        self.subject = subject
        ownCode = nil
    }

    /// The same for an error with a code of its own, for readers that know better than the kind what is wrong.
    package init(
        _ kind: Kind, as code: ErrorCode, _ message: String, remedy: String = "", subject: ErrorSubject? = nil
    ) {
        self.kind = kind
        self.message = message
        self.remedy = remedy
        self.subject = subject
        ownCode = code
    }

    /// The message, then the remedy in brackets.
    public var description: String { remedy.isEmpty ? message : "\(message) (\(remedy))" }

    /// Whether the card was lost in a way that putting it back on the reader fixes.
    public var isCardLost: Bool {
        switch kind {
        case .noCard, .cardRemoved, .cardReset: true
        default: false
        }
    }

    /// Whether the reader or the service that owns it was lost in a way that plugging the reader in or starting the
    /// service fixes.
    public var isReaderLost: Bool {
        switch kind {
        case .noService, .noReader, .readerGone: true
        default: false
        }
    }
}
