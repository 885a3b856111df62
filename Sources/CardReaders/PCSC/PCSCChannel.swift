import CPCSC
import SmartCard

/// A connection to a card through the PC/SC service. It belongs to one thread.
final class PCSCChannel: CardChannel {
    /// From a bare header up to what every driver can carry. A single byte would hang the virtual reader's driver.
    private static let commandLengths = 4...65_535
    /// Room for the longest response to an extended APDU: 65 536 bytes and a status word. The system allocates memory
    /// only for the part that is actually filled.
    private static let answerCapacity = 65_538
    /// How long, in milliseconds, the service may take to notice that a card is gone: it looks every 0.4 s.
    private static let removalNotice: UInt32 = 1000

    private let place: PCSCReaderPlace
    private let answer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: answerCapacity)
    private var connection: PCSCConnection?
    private var isInTransaction = false

    init(at place: PCSCReaderPlace) throws(ReaderError) {
        self.place = place
        connection = try Self.connection(at: place)
    }

    deinit {
        disconnect()
        answer.deallocate()
    }

    func transmit(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
        let connection = try openConnection()
        guard Self.commandLengths.contains(command.count) else {
            throw ReaderError(.transportFailed, "A command of \(command.count) bytes is not an APDU.")
        }
        var sendHeader = SCARD_IO_REQUEST(
            dwProtocol: connection.activeProtocol, cbPciLength: UInt(MemoryLayout<SCARD_IO_REQUEST>.size))
        var length = DWORD(answer.count)
        let status = SCardTransmit(
            connection.handle, &sendHeader, command, DWORD(command.count), nil, answer.baseAddress, &length)
        guard status == SCARD_S_SUCCESS else { throw failure(status, connection) }
        // When the card is lost while answering, the service reports success with no bytes.
        guard length >= 2 else { throw PCSCError.readerError(LONG(SCARD_W_REMOVED_CARD), .using) }
        return Array(answer.prefix(Int(clamping: length)))
    }

    func beginTransaction() throws(ReaderError) {
        let connection = try openConnection()
        let status = SCardBeginTransaction(connection.handle)
        guard status == SCARD_S_SUCCESS else { throw failure(status, connection) }
        isInTransaction = true
    }

    func endTransaction() {
        guard isInTransaction, let connection else { return }
        isInTransaction = false
        SCardEndTransaction(connection.handle, DWORD(SCARD_LEAVE_CARD))
    }

    func reconnect() throws(ReaderError) {
        endTransaction()
        switch connection?.reconnect() {
        case LONG(SCARD_S_SUCCESS): return
        case LONG(SCARD_E_NO_SMARTCARD), LONG(SCARD_W_REMOVED_CARD):
            throw PCSCError.readerError(LONG(SCARD_E_NO_SMARTCARD), .opening, reader: place.name)
        default:
            // The reader or the service went away and may be back: only a new handle helps.
            connection = nil
            connection = try Self.connection(at: place)
        }
    }

    func disconnect() {
        endTransaction()
        connection = nil
    }

    /// Connects to the card at the reader, whichever number it has now.
    private static func connection(at place: PCSCReaderPlace) throws(ReaderError) -> PCSCConnection {
        let context = try PCSCContext()
        var failure: ReaderError?
        for name in place.names(in: context) {
            do throws(ReaderError) {
                let connection = try PCSCConnection(reader: name, in: context)
                place.settle(on: name, among: (try? context.readerNames()) ?? [])
                return connection
            } catch { failure = failure ?? error }
        }
        throw failure ?? PCSCError.readerError(LONG(SCARD_E_UNKNOWN_READER), .opening, reader: place.name)
    }

    private func openConnection() throws(ReaderError) -> PCSCConnection {
        guard let connection else { throw ReaderError(.transportFailed, "The connection to the card is closed.") }
        return connection
    }

    /// The error for a failed call. A failed exchange counts as a removal if the card is gone, or is found gone soon
    /// after.
    private func failure(_ status: LONG, _ connection: PCSCConnection) -> ReaderError {
        guard [SCARD_E_NOT_TRANSACTED, SCARD_E_COMM_DATA_LOST].contains(status) else {
            return PCSCError.readerError(status, .using, reader: place.name)
        }
        let query = PCSCStatusQuery([place.name])
        var current = query.ask(connection.context, milliseconds: 0)
        if current == SCARD_S_SUCCESS, query.answers.first?.isCardPresent == true {
            query.acknowledge()
            current = query.ask(connection.context, milliseconds: Self.removalNotice)
            if current == SCARD_E_TIMEOUT { return PCSCError.readerError(status, .using, reader: place.name) }
        }
        guard current == SCARD_S_SUCCESS else { return PCSCError.readerError(current, .using, reader: place.name) }
        return PCSCError.readerError(LONG(SCARD_W_REMOVED_CARD), .using)
    }
}
