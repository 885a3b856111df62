import SmartCard

/// The line to whatever lies on one reader: opened when needed, held in a transaction for one step, counted and traced.
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

    /// Begins a transaction, on a new line if there is none or the old one broke.
    /// - Returns: whether the card's application must be selected, because the line is new or the card was reset.
    func begin() throws(TapError) -> Bool {
        if let channel {
            do {
                try channel.beginTransaction()
                return false
            } catch  where error.kind == .cardReset {
                if resume(channel) { return true }
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

    /// Takes a line up again after a reset; false when that fails.
    private func resume(_ channel: any CardChannel) -> Bool {
        do {
            try channel.reconnect()
            try channel.beginTransaction()
            return true
        } catch { return false }
    }

    /// Ends the transaction, if there is one.
    func end() { channel?.endTransaction() }

    /// Gives the line up.
    func drop() {
        channel?.endTransaction()
        channel?.disconnect()
        channel = nil
    }

    /// Sends a command and returns the answer, whatever its status word.
    func transmit(_ apdu: CommandAPDU, named command: String) throws(TapError) -> ResponseAPDU {
        guard let channel else {
            throw .reader(ReaderError(.cardRemoved, "The line to the card was given up."))
        }
        exchangeCount += 1
        trace?(.sent(command: command, apdu: TraceMask.text(for: apdu)))
        let answer: ResponseAPDU
        do { answer = try channel.exchange(apdu) } catch { throw .reader(error) }
        trace?(.received(command: command, answer: TraceMask.text(for: answer)))
        return answer
    }
}
