/// What goes wrong between the host and a card, below the card's own answers.
public struct ReaderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure. The raw value is the stable code of the command line (`tapkit help errors`).
    public enum Code: String, Sendable, CaseIterable {
        /// The service that owns the readers (pcscd) does not run or cannot be reached.
        case noService = "no_pcscd"
        /// No reader is attached, or none has the asked name.
        case noReader = "no_reader"
        /// The reader was unplugged, or its service ended, while in use.
        case readerGone = "reader_gone"
        /// Another program holds the card.
        case readerBusy = "reader_busy"
        /// The system's policy (polkit, file modes) refuses access.
        case permissionDenied = "no_permission"
        /// The reader is there, and no card lies on it.
        case noCard = "no_card"
        /// The card was taken away during an exchange; whether the command ran is unknown.
        case cardRemoved = "card_removed"
        /// Someone reset the card, or its power was cut for a moment; its session state is gone.
        case cardReset = "card_reset"
        /// A card is there and does not answer; broken, badly placed, or no smart card at all.
        case cardMute = "card_mute"
        /// The wait was ended by the caller.
        case cancelled = "cancelled"
        /// Nothing happened in the given time.
        case timedOut = "timed_out"
        /// Any other failure of reader, driver or cable, or an answer that is no APDU.
        case transportFailed = "transport_failed"
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, with the driver's own error where there is one. Holds no secret.
    public let message: String
    /// What to do about it; empty when there is nothing to add.
    public let hint: String

    /// An error from its parts.
    public init(_ code: Code, _ message: String, hint: String = "") {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// The message, then the hint in brackets.
    public var description: String { hint.isEmpty ? message : "\(message) (\(hint))" }

    /// Whether the card was lost in a way that laying it back on the reader cures.
    public var isCardLost: Bool {
        switch code {
        case .noCard, .cardRemoved, .cardReset: true
        default: false
        }
    }

    /// Whether the reader itself, or the service that owns it, was lost in a way that plugging it in or starting the
    /// service cures.
    public var isReaderLost: Bool {
        switch code {
        case .noService, .noReader, .readerGone: true
        default: false
        }
    }
}
