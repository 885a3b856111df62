/// A place a card can be laid on.
///
/// Every call blocks its thread: make them from the reader's `CardThread`, never from the cooperative pool. Only
/// `cancelWaiting` may be called from anywhere at any time.
public protocol CardReader: Sendable {
    /// How this reader is asked for by name: `pcsc:NAME`, `nfc:CONNSTRING`, `sim:FILE`.
    var spec: String { get }

    /// The reader's name for people.
    var name: String { get }

    /// What drives it.
    var kind: ReaderKind { get }

    /// Opens a channel to the card that lies on the reader now.
    /// - Throws: `ReaderError`: `.noCard`, `.readerBusy`, `.readerGone`, `.cardMute`, ….
    func connect() throws(ReaderError) -> any CardChannel

    /// Blocks until a card is there (`isPresent` true) or away (false); returns at once when that is so already.
    /// - Parameter timeout: the longest wait; `nil`: for ever.
    /// - Throws: `ReaderError`: `.timedOut`, `.cancelled`, `.readerGone`, ….
    func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError)

    /// Ends a `waitForCard` that blocks in another thread, which then throws `.cancelled`. Without one, the next
    /// `waitForCard` is not affected.
    func cancelWaiting()
}
