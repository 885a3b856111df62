import SmartCard
import Synchronization

/// A reader driven by libnfc: a PN532 board at a serial port, or a USB NFC reader without CCID.
///
/// From the first channel or wait on, this process keeps the device for as long as the reader exists: opening it takes
/// time, and cuts the card's power.
public final class NFCReader: CardReader {
    /// The device, by libnfc's name for it.
    public let connection: NFCConnectionString
    /// `nfc:` followed by libnfc's name.
    public var spec: String { "nfc:\(connection)" }
    /// The name for display.
    public var name: String { "NFC reader \(connection)" }
    /// `.nfc`.
    public var kind: ReaderKind { .nfc }

    private let port: NFCPort
    private let waits = Mutex<[NFCWait]>([])
    private let isInUse = Mutex(false)

    /// The reader with this name, whether or not it is attached now.
    public init(_ connection: NFCConnectionString) {
        self.connection = connection
        port = .shared(connection)
    }

    deinit { if isInUse.withLock({ $0 }) { port.leave() } }

    /// Opens the device and selects the card on it, type A at 106 kbit/s.
    ///
    /// Blocks for about 0.1 s, or 1.4 s if nothing answers at the port.
    /// - Throws: `ReaderError`: `.noReader`, `.noCard`, `.cardMute`, `.readerBusy`, `.permissionDenied`, ….
    public func connect() throws(ReaderError) -> any CardChannel {
        beginUse()
        return try NFCChannel.open(port)
    }

    /// Blocks until a card is present or absent; see `CardReader`. Anything that is not a smart card counts as no card.
    ///
    /// Looks for the card at most 4 times a second. A PN532 at a serial port looks by itself and reports at once; the wait
    /// may then exceed the timeout by a third of a second.
    /// - Throws: `ReaderError`: `.timedOut`, `.cancelled`, `.readerGone`, `.noReader`, `.readerBusy`, ….
    public func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {
        let wait = NFCWait()
        waits.withLock { $0.append(wait) }
        defer { waits.withLock { $0.removeAll { $0 === wait } } }
        beginUse()

        let deadline = timeout.map { ContinuousClock.now.advanced(by: $0) }
        var lossesBefore: Int?
        while true {
            if wait.isCancelled { throw ReaderError(.cancelled, "The wait was cancelled.") }
            let remaining = deadline.map { ContinuousClock.now.duration(to: $0) }
            let isLastLook = remaining.map { $0 <= .zero } ?? false
            guard try port.isCardPresent(awaiting: isPresent && !isLastLook) != isPresent else { return }
            // A card that was swapped between two looks counts as having been away.
            let losses = port.losses
            if !isPresent, let lossesBefore, losses != lossesBefore { return }
            lossesBefore = losses
            if isLastLook { throw ReaderError(.timedOut, "Timed out: nothing happened.") }
            wait.pause(upTo: deadline)
        }
    }

    private func beginUse() {
        isInUse.withLock { isInUse in
            guard !isInUse else { return }
            isInUse = true
            port.enter()
        }
    }

    /// Ends every `waitForCard` that blocks another thread, within 0.4 s. May be called from any thread, at any time.
    public func cancelWaiting() {
        waits.withLock { for wait in $0 { wait.cancel() } }
    }
}
