import ExplainedErrors
import Glibc
import SmartCard
import Threads

/// A reader in this process with a simulated card on it. One channel at a time.
///
/// A reader of a file opens it with `connect` and releases it with `disconnect`, so that processes can take turns.
/// Calls may come from any thread.
public final class SimulatedReader: CardReader {
    /// What the reader holds. `Monitor` guards it.
    struct Place {
        /// The card's file, if it has one.
        let path: String?
        let waitDuration: Duration?
        /// The card; `nil` while a file is not open.
        var card: SimulatedCard?
        /// How the card comes back while it is away; `nil` while it is there.
        var absence: CardReturn?
        /// Incremented whenever a card is put down or removed: a channel from an earlier placement is broken.
        var placement = 0
        var isConnected = false
        var cancellations = 0
        var exchanges = 0
        var counts: [String: Int] = [:]
        var interceptor: (any CardInterceptor)?
    }

    /// `sim:FILE`; `sim:` for a card in memory.
    public let spec: String
    /// Contains `SIMULATED`, and the file.
    public let name: String
    /// Always `.sim`.
    public let kind = ReaderKind.sim

    let place: Monitor<Place>

    /// Creates a reader with the card in a file on it. Opens nothing yet.
    /// - Parameters:
    ///   - path: the card's file.
    ///   - waitDuration: how long a `wait` command takes; `nil` uses the file's value.
    public init(path: String, waitDuration: Duration? = nil) {
        spec = "sim:\(path)"
        name = "SIMULATED card \(path)"
        place = Monitor(Place(path: path, waitDuration: waitDuration))
    }

    /// Creates a reader with a card in memory on it.
    /// - Parameters:
    ///   - card: the card.
    ///   - interceptor: what may disturb the exchanges; `nil` means nothing.
    public init(card: SimulatedCard, interceptor: (any CardInterceptor)? = nil) {
        spec = "sim:"
        name = "SIMULATED card in memory"
        place = Monitor(Place(path: nil, waitDuration: nil, card: card, interceptor: interceptor))
    }

    /// What may disturb the exchanges; `nil` means nothing.
    public var interceptor: (any CardInterceptor)? {
        get { place.withLock { $0.interceptor } }
        set { place.withLock { $0.interceptor = newValue } }
    }

    /// The number of exchanges, by `select` and the commands' names.
    public var exchangeCounts: [String: Int] { place.withLock { $0.counts } }

    /// Resets `exchangeCounts` and the numbers that interceptors see to zero.
    public func resetCounts() {
        place.withLock { place in
            place.exchanges = 0
            place.counts = [:]
        }
    }

    /// Removes the card; does nothing if it is already away.
    public func pull(_ cardReturn: CardReturn = .byHand) { place.withLock { $0.pull(cardReturn) } }

    /// Puts the card back, or another one in its place.
    public func insert(_ card: SimulatedCard? = nil) { place.withLock { $0.insert(card) } }

    /// Opens a channel to the card.
    /// - Throws: `ReaderError`: `.noCard`; `.readerBusy` if another channel or process has the card; `.noReader` if
    ///   there is no such file; `.cardMute` if the file is damaged or cannot be read or written.
    public func connect() throws(ReaderError) -> any CardChannel {
        let placement = try place.withLock { (place) throws(ReaderError) in
            guard !place.isConnected else {
                throw ReaderError(.readerBusy, "Another channel is using the simulated card.")
            }
            try place.powerOn()
            place.isConnected = true
            return place.placement
        }
        return SimulatedChannel(place: place, placement: placement)
    }

    /// Blocks until the card is present or absent.
    /// - Throws: `ReaderError`: `.timedOut`, `.cancelled`.
    public func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {
        let cancellations = place.withLock { $0.cancellations }
        let isDone = try place.wait(timeout: timeout) { (place) throws(ReaderError) -> Bool? in
            if place.cancellations != cancellations { throw ReaderError(.cancelled, "The wait was cancelled.") }
            if isPresent, place.absence == .whenAwaited { place.insert(nil) }
            return (place.absence == nil) == isPresent ? true : nil
        }
        guard isDone == true else {
            throw ReaderError(.timedOut, isPresent ? "No card was put on the reader." : "The card was not removed.")
        }
    }

    /// Ends waits that block other threads.
    public func cancelWaiting() { place.withLock { $0.cancellations += 1 } }
}

extension SimulatedReader.Place {
    init(path: String, waitDuration: Duration?) {
        self.init(path: path, waitDuration: waitDuration, card: nil)
    }

    mutating func pull(_ cardReturn: CardReturn) {
        guard absence == nil else { return }
        card?.powerOff()
        placement += 1
        absence = cardReturn
        if cardReturn == .atOnce { insert(nil) }
    }

    mutating func insert(_ newCard: SimulatedCard?) {
        if let newCard {
            card?.powerOff()
            card = newCard
        } else if absence == nil {
            return
        }
        placement += 1
        absence = nil
    }

    /// Swaps the card without the channel noticing, or briefly cuts the power of the same one.
    mutating func cutPower(replacingBy newCard: SimulatedCard? = nil) throws(ReaderError) {
        card?.powerOff()
        card = newCard ?? card
        try powerOn()
    }

    /// Powers the card, opening its file if necessary.
    mutating func powerOn() throws(ReaderError) {
        guard absence == nil else { throw ReaderError(.noCard, "There is no card on the simulated reader.") }
        do throws(SimulatedCardError) {
            if card == nil, let path { card = try SimulatedCard(path: path, waitDuration: waitDuration) }
            try card?.powerOn()
        } catch {
            closeFile()
            throw ReaderError(error, file: path)
        }
    }

    /// Closes the card's file.
    mutating func closeFile() {
        card?.powerOff()
        if path != nil { card = nil }
    }
}

extension ReaderError {
    fileprivate init(_ error: SimulatedCardError, file: String?) {
        let subject = file.map { ErrorSubject.file($0) }
        switch error.kind {
        case .inUse:
            self.init(.readerBusy, error.message, remedy: "Stop the other process, then try again.", subject: subject)
        case .notFound: self.init(.noReader, error.message, subject: subject)
        // Waiting does not mend the file.
        case .damaged, .unreadable: self.init(.cardMute, as: error.code, error.message, subject: subject)
        default:
            self.init(
                .cardMute, error.message, remedy: "Check the file's permissions and its folder.", subject: subject)
        }
    }
}
