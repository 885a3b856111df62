import SmartCard
import Synchronization

/// A reader that libnfc drives: a PN532 board at a serial port, or an NFC reader on USB that speaks no CCID.
///
/// From the first channel or wait on, the device is this process's as long as the reader lives: opening it takes time, and
/// switches the card's power off.
public final class NFCReader: CardReader {
    /// The device as libnfc names it.
    public let connection: NFCConnectionString
    /// `nfc:` and libnfc's name.
    public var spec: String { "nfc:\(connection)" }
    /// For people.
    public var name: String { "NFC reader \(connection)" }
    /// `.nfc`.
    public var kind: ReaderKind { .nfc }

    private let port: NFCPort
    private let waits = Mutex<[NFCWait]>([])
    private let isInUse = Mutex(false)

    /// The reader of this name, whether it is attached now or not.
    public init(_ connection: NFCConnectionString) {
        self.connection = connection
        port = .shared(connection)
    }

    deinit { if isInUse.withLock({ $0 }) { port.leave() } }

    /// Opens the device and selects the card that lies on it, type A at 106 kbit/s.
    ///
    /// Blocks for about 0.1 s; for 1.4 s when nothing answers at the port.
    /// - Throws: `ReaderError`: `.noReader`, `.noCard`, `.cardMute`, `.readerBusy`, `.permissionDenied`, ….
    public func connect() throws(ReaderError) -> any CardChannel {
        beginUse()
        return try NFCChannel.open(port)
    }

    /// Blocks until a card is there or away; see `CardReader`. What is no smart card counts as none.
    ///
    /// The card is looked for 4 times a second at most; a PN532 at a serial port looks by itself and tells at once, which
    /// may take a third of a second longer than the time given.
    /// - Throws: `ReaderError`: `.timedOut`, `.cancelled`, `.readerGone`, `.noReader`, `.readerBusy`, ….
    public func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {
        let wait = NFCWait()
        waits.withLock { $0.append(wait) }
        defer { waits.withLock { $0.removeAll { $0 === wait } } }
        beginUse()

        let deadline = timeout.map { ContinuousClock.now.advanced(by: $0) }
        var lossesBefore: Int?
        while true {
            if wait.isCancelled { throw ReaderError(.cancelled, "The wait was ended.") }
            let remaining = deadline.map { ContinuousClock.now.duration(to: $0) }
            let isLastLook = remaining.map { $0 <= .zero } ?? false
            guard try port.isCardPresent(awaiting: isPresent && !isLastLook) != isPresent else { return }
            // A card that was changed for another between two looks has been away.
            let losses = port.losses
            if !isPresent, let lossesBefore, losses != lossesBefore { return }
            lossesBefore = losses
            if isLastLook { throw ReaderError(.timedOut, "Nothing happened in the given time.") }
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

    /// Ends every `waitForCard` that blocks in another thread, within 0.4 s. From any thread, at any time.
    public func cancelWaiting() {
        waits.withLock { for wait in $0 { wait.cancel() } }
    }
}
