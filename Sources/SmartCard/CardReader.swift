/// A place where a card can be put.
///
/// Every call blocks its thread: make calls from the reader's `CardThread`, never from the cooperative pool. Only
/// `cancelWaiting` may be called from any thread at any time.
public protocol CardReader: Sendable {
    /// The name that selects this reader: `pcsc:NAME`, `nfc:CONNSTRING`, `sim:FILE`.
    var spec: String { get }

    /// The reader's name for display.
    var name: String { get }

    /// What drives it.
    var kind: ReaderKind { get }

    /// Opens a channel to the card that is on the reader now.
    /// - Throws: `ReaderError`: `.noCard`, `.readerBusy`, `.readerGone`, `.cardMute`, ….
    func connect() throws(ReaderError) -> any CardChannel

    /// Blocks until a card is present (`isPresent` true) or absent (false); returns at once if that is already so.
    /// - Parameter timeout: the longest wait; `nil` means no limit.
    /// - Throws: `ReaderError`: `.timedOut`, `.cancelled`, `.readerGone`, ….
    func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError)

    /// Ends a `waitForCard` that is blocking another thread; that call then throws `.cancelled`. If none is blocking,
    /// the next `waitForCard` is not affected.
    func cancelWaiting()
}
