import SmartCard

/// What goes wrong between the host and a tap card, above the reader. Contains no CVC, key or session key.
public enum TapError: Error, Sendable, Equatable {
    /// The reader or the connection to the card failed.
    case reader(ReaderError)
    /// The card on the reader has no tap-card application; it answered SELECT with this status word.
    case notATapCard(StatusWord)
    /// A different card is on the reader than before.
    case anotherCard(expected: CardIdent, found: CardIdent)
    /// A status word other than 9000 (or 6D00 that persists): a fault between reader and card.
    case statusWord(StatusWord, command: String)
    /// An invalid response: not CBOR, a required field missing or of the wrong type or length, or a response to another
    /// request. It does not show whether the card is genuine. `field` is empty if the whole response is meant.
    case badResponse(command: String, field: String, problem: String)
    /// The card refused, for a reason other than those below.
    case card(CardError, command: String)
    /// The CVC is wrong (401).
    case wrongCVC(RemainingTries)
    /// The card was lost twice while answering a CVC that is not known to be right: it is not sent a third time.
    case unprovenCVC
    /// The command needs a CVC, and none was given.
    case cvcNeeded(command: String)
    /// The card is locked after wrong CVCs (429), for this many more seconds.
    case rateLimited(seconds: Int)
    /// A proof failed: the card is counterfeit or tampered with, or its response was altered on the way.
    case badProof(Proof, detail: String)
    /// The text is not a CVC; detected before it goes to a card.
    case invalidCVC(CVC.Problem)
    /// An argument that no card would accept; detected before it goes to the card.
    case invalidArgument(command: String, problem: String)
    /// This product does not have the command.
    case notSupported(command: String, product: CardProduct)
    /// The random source returns the same byte again and again.
    case weakRandomness
    /// The backup cannot be opened, or belongs to another card.
    case badBackup(Backup.Problem)
}

/// What is known about the tries left after a wrong CVC.
public enum RemainingTries: Sendable, Hashable {
    /// The lockout has begun; this many seconds must pass before the next try.
    case delayed(seconds: Int)
    /// At most this many more wrong CVCs before the lockout; fewer if wrong ones were tried before this session.
    case atMost(Int)
}
