import CPCSC
import SmartCard
import Synchronization

/// A reader of the PC/SC service. It holds nothing open: the reader may be unplugged and come back, even under another
/// number, which is then the one that is waited at and reconnected to; `name` and `spec` stay.
public final class PCSCReader: CardReader {
    /// The name that the service gave the reader, such as `HID Global OMNIKEY 5022 Smart Card Reader 00 00`.
    public let name: String
    /// `pcsc:` followed by the name.
    public var spec: String { "pcsc:\(name)" }
    /// `.pcsc`.
    public var kind: ReaderKind { .pcsc }

    private let place: PCSCReaderPlace
    private let waits = Mutex<[PCSCWait]>([])

    /// The reader with this name, whether or not it is attached now.
    public init(name: String) {
        self.name = name
        place = PCSCReaderPlace(name)
    }

    /// Connects to the card, shared with other programs, T=0 or T=1.
    ///
    /// Blocks while another program holds a transaction. Each call that waits for the card, the reader or other programs, this
    /// one included, ends after 30 s: a silent reader's driver would wait for minutes. The channel is then closed.
    /// - Throws: `ReaderError`: `.noService`, `.readerGone`, `.noCard`, `.readerBusy`, `.cardMute`,
    ///   `.permissionDenied`, ….
    public func connect() throws(ReaderError) -> any CardChannel { try PCSCChannel(at: place) }

    /// The state of the reader and its card, without connecting to the card.
    /// - Throws: `ReaderError`: `.noService`, `.readerGone`, ….
    public func state() throws(ReaderError) -> PCSCReaderState {
        let query = PCSCStatusQuery([place.name])
        return try Self.states(query, query.ask(try PCSCContext(), milliseconds: 0), reader: name)[0]
    }

    /// Blocks until a card is present or absent; see `CardReader`. A card that does not answer counts as present.
    /// - Throws: `ReaderError`: `.timedOut`, `.cancelled`, `.readerGone`, `.noService`, ….
    public func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {
        let wait = PCSCWait()
        waits.withLock { $0.append(wait) }
        defer { waits.withLock { $0.removeAll { $0 === wait } } }

        let deadline = timeout.map { ContinuousClock.now.advanced(by: $0) }
        let context = try PCSCContext()
        let query = PCSCStatusQuery(place.names(in: context))
        while true {
            let remaining = deadline.map { ContinuousClock.now.duration(to: $0) } ?? .seconds(1)
            let status = wait.slice(query, context, upTo: remaining)
            let states = try Self.states(query, status, reader: name)
            guard !states.contains(where: { $0.isCardPresent == isPresent }) else { return }
            if remaining <= .zero { throw PCSCError.readerError(LONG(SCARD_E_TIMEOUT), .using) }
            query.acknowledge()
        }
    }

    /// Ends every `waitForCard` that blocks another thread. May be called from any thread, at any time.
    public func cancelWaiting() {
        waits.withLock { for wait in $0 { wait.cancel() } }
    }

    /// The answers to a query; a timeout without a change is an answer, too.
    /// - Returns: at least one.
    /// - Throws: `ReaderError`: `.readerGone` if one of the readers is gone, ….
    private static func states(
        _ query: PCSCStatusQuery, _ status: LONG, reader: String
    ) throws(ReaderError) -> [PCSCReaderState] {
        guard [SCARD_S_SUCCESS, SCARD_E_TIMEOUT].contains(status) else {
            throw PCSCError.readerError(status, .using, reader: reader)
        }
        let states = query.answers
        guard !states.isEmpty, states.allSatisfy(\.isReaderThere) else {
            throw PCSCError.readerError(LONG(SCARD_E_UNKNOWN_READER), .using, reader: reader)
        }
        return states
    }
}
