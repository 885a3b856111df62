import SmartCard

/// What goes wrong between the host and a tap card, above the reader. Holds no CVC, key or session key.
public enum TapError: Error, Sendable, Equatable {
    /// The reader or the line to the card failed.
    case reader(ReaderError)
    /// The card on the reader has no tap-card application; it answered SELECT with this status word.
    case notATapCard(StatusWord)
    /// Another card lies on the reader than before.
    case anotherCard(expected: CardIdent, found: CardIdent)
    /// A status word other than 9000 (or 6D00 for ever): a fault between reader and card.
    case statusWord(StatusWord, command: String)
    /// An answer that makes no sense: not CBOR, or a field missing that is needed, of wrong type or length, or an answer to
    /// another question. It says nothing of whether the card is genuine. `field` is empty when the whole answer is meant.
    case badResponse(command: String, field: String, problem: String)
    /// The card refused, for another reason than those below.
    case card(CardError, command: String)
    /// The CVC is wrong (401).
    case wrongCVC(RemainingTries)
    /// The card was lost twice with its answer to a CVC that is not known to be right: it is not sent a third time.
    case unprovenCVC
    /// The command needs a CVC, and none was given.
    case cvcNeeded(command: String)
    /// After wrong CVCs the card insists on a delay (429); this many seconds are left of it.
    case rateLimited(seconds: Int)
    /// A proof failed: the card is counterfeit or tampered with, or its answer was altered on the way.
    case badProof(Proof, detail: String)
    /// The text is no CVC; said before any card is asked.
    case invalidCVC(CVC.Problem)
    /// An argument that no card would take; said before the card is asked.
    case invalidArgument(command: String, problem: String)
    /// This product does not have the command.
    case notSupported(command: String, product: CardProduct)
    /// The random source gives the same byte again and again.
    case weakRandomness
    /// The backup cannot be opened, or is another card's.
    case badBackup(Backup.Problem)
}

/// What is known about the tries that are left after a wrong CVC.
public enum RemainingTries: Sendable, Hashable {
    /// The security delay has begun; so many seconds have to be waited off before the next try.
    case delayed(seconds: Int)
    /// At most so many more wrong CVCs before the security delay; fewer when wrong ones were tried before this
    /// program looked at the card.
    case atMost(Int)
}
