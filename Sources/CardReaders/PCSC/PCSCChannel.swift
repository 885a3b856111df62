import CPCSC
import SmartCard

/// A connection to a card through the PC/SC service. It belongs to one thread.
///
/// Calls that wait for the card, the reader or other programs have a time limit. After that the connection is left to the
/// call, and nothing else uses it; a transaction ends with the call.
final class PCSCChannel: CardChannel {
    /// From a bare header up to what every driver can carry. A single byte would hang the virtual reader's driver.
    private static let commandLengths = 4...65_535
    /// How long, in milliseconds, the service may take to notice that a card is gone: it looks every 0.4 s.
    private static let removalNotice: UInt32 = 1000

    /// How long a call may take.
    var patience: Duration

    private let place: PCSCReaderPlace
    private var connection: PCSCConnection?
    private var isInTransaction = false

    /// - Parameter patience: the time limit for each call. A tap card answers within seconds.
    init(at place: PCSCReaderPlace, patience: Duration = .seconds(30)) throws(ReaderError) {
        (self.place, self.patience) = (place, patience)
        connection = try Self.connection(at: place, within: patience)
    }

    deinit { disconnect() }

    func transmit(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
        guard Self.commandLengths.contains(command.count) else {
            throw ReaderError(.transportFailed, "A command of \(command.count) bytes is not an APDU.")
        }
        let connection = try openConnection()
        let answer = try inTime(PCSCError.silentReader) { connection.transmit(command) }
        guard answer.status == SCARD_S_SUCCESS else { throw failure(answer.status, connection) }
        // When the card is lost while answering, the service reports success with no bytes.
        guard answer.response.count >= 2 else { throw PCSCError.readerError(LONG(SCARD_W_REMOVED_CARD), .using) }
        return answer.response
    }

    func beginTransaction() throws(ReaderError) {
        let connection = try openConnection()
        let status = try inTime(PCSCError.heldCard) { connection.beginTransaction() }
        guard status == SCARD_S_SUCCESS else { throw failure(status, connection) }
        isInTransaction = true
    }

    func endTransaction() {
        guard isInTransaction, let connection else { return }
        isInTransaction = false
        connection.endTransaction()
    }

    func reconnect() throws(ReaderError) {
        endTransaction()
        var status: LONG?
        if let connection { status = try inTime(PCSCError.silentReader) { connection.reconnect() } }
        switch status {
        case LONG(SCARD_S_SUCCESS): return
        case LONG(SCARD_E_NO_SMARTCARD), LONG(SCARD_W_REMOVED_CARD):
            throw PCSCError.readerError(LONG(SCARD_E_NO_SMARTCARD), .opening, reader: place.name)
        default:
            // The reader or the service went away and may be back: only a new handle helps.
            connection = nil
            connection = try Self.connection(at: place, within: patience)
        }
    }

    func disconnect() {
        endTransaction()
        connection = nil
    }

    /// Connects to the card at the reader, whichever number it has now.
    private static func connection(
        at place: PCSCReaderPlace, within patience: Duration
    ) throws(ReaderError) -> PCSCConnection {
        let name = place.name
        // The service lets nobody connect while another program holds a transaction.
        guard !PCSCCall.isStuck(at: name, after: patience),
            let attempt = PCSCCall.result(
                at: name, within: patience,
                of: { Result { () throws(ReaderError) in try connected(at: place) } })
        else { throw PCSCError.heldCard(name, for: patience) }
        let found = try attempt.get()
        place.settle(on: found.name, among: found.readers)
        return found.connection
    }

    private static func connected(
        at place: PCSCReaderPlace
    ) throws(ReaderError) -> (connection: PCSCConnection, name: String, readers: [String]) {
        let context = try PCSCContext()
        var failure: ReaderError?
        for name in place.names(in: context) {
            do throws(ReaderError) {
                let connection = try PCSCConnection(reader: name, in: context)
                return (connection, name, (try? context.readerNames()) ?? [])
            } catch { failure = failure ?? error }
        }
        throw failure ?? PCSCError.readerError(LONG(SCARD_E_UNKNOWN_READER), .opening, reader: place.name)
    }

    private func openConnection() throws(ReaderError) -> PCSCConnection {
        guard let connection else { throw ReaderError(.transportFailed, "The connection to the card is closed.") }
        return connection
    }

    /// The result of a call on the connection; without one in time, the connection is given up.
    private func inTime<Result: Sendable>(
        _ error: (String, Duration) -> ReaderError, _ call: @escaping @Sendable () -> Result
    ) throws(ReaderError) -> Result {
        if let result = PCSCCall.result(at: place.name, within: patience, of: call) { return result }
        connection = nil
        isInTransaction = false
        throw error(place.name, patience)
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
