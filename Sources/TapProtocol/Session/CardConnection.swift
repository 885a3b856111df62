import SmartCard

/// The connection to the card on one reader: opened when needed, held in a transaction for one step, counted and
/// traced.
///
/// Belongs to the reader's thread.
final class CardConnection {
    private let reader: any CardReader
    private let trace: (@Sendable (TraceEvent) -> Void)?
    private var channel: (any CardChannel)?

    /// How many commands were transmitted, SELECT included.
    private(set) var exchangeCount = 0

    init(reader: any CardReader, trace: (@Sendable (TraceEvent) -> Void)?) {
        self.reader = reader
        self.trace = trace
    }

    /// Begins a transaction, on a new connection if there is none or the old one failed.
    /// - Returns: whether the application must be selected, because the connection is new or the card was reset.
    func begin() throws(TapError) -> Bool {
        if let channel {
            do {
                try channel.beginTransaction()
                return false
            } catch  where error.kind == .cardReset {
                if resume(channel) { return true }
            } catch  where error.kind == .readerBusy {
                drop()
                throw .reader(error)
            } catch {}
            drop()
        }
        do {
            let channel = try reader.connect()
            self.channel = channel
            try channel.beginTransaction()
            return true
        } catch {
            drop()
            throw .reader(error)
        }
    }

    /// Reconnects after a reset; false if that fails.
    private func resume(_ channel: any CardChannel) -> Bool {
        do {
            try channel.reconnect()
            try channel.beginTransaction()
            return true
        } catch { return false }
    }

    /// Ends the transaction, if there is one.
    func end() { channel?.endTransaction() }

    /// Gives up the connection.
    func drop() {
        channel?.endTransaction()
        channel?.disconnect()
        channel = nil
    }

    /// Sends a command and returns the response, whatever its status word.
    func transmit(_ apdu: CommandAPDU, named command: String) throws(TapError) -> ResponseAPDU {
        guard let channel else {
            throw .reader(ReaderError(.cardRemoved, "The connection to the card was closed."))
        }
        exchangeCount += 1
        trace?(.sent(command: command, apdu: TraceMask.text(for: apdu)))
        let answer: ResponseAPDU
        do { answer = try channel.exchange(apdu) } catch { throw .reader(error) }
        trace?(.received(command: command, answer: TraceMask.text(for: answer)))
        return answer
    }
}
