/// An open connection to one card. Not thread-safe: it belongs to the thread that opened it.
public protocol CardChannel: AnyObject {
    /// Sends the bytes of one APDU and returns the response: at least two bytes, the last two being the status word.
    /// - Throws: `ReaderError`: `.cardRemoved`, `.cardReset`, `.readerGone`, `.transportFailed`, ….
    func transmit(_ command: [UInt8]) throws(ReaderError) -> [UInt8]

    /// Keeps other programs off the card until `endTransaction`. Hold it for one step of a flow, never while waiting for
    /// a person: other programs block with no time limit. Transactions do not nest.
    /// - Throws: `ReaderError`: `.cardReset` when another program has reset the card, `.cardRemoved`, ….
    func beginTransaction() throws(ReaderError)

    /// Lets other programs use the card again; does nothing outside a transaction.
    func endTransaction()

    /// Reconnects after the card was reset or put back, or the reader came back. There is no transaction afterwards, and
    /// the card's application must be selected again. Can be retried if it throws.
    /// - Throws: `ReaderError`: `.noCard`, `.readerGone`, `.noService`, ….
    func reconnect() throws(ReaderError)

    /// Releases the card. The channel cannot be used afterwards.
    func disconnect()
}

extension CardChannel {
    /// Sends a command and returns the complete response.
    ///
    /// `61xx` (more to fetch) is followed by GET RESPONSE until the response is complete. `6Cxx` (wrong Le) without data
    /// is followed, once, by the same command with the length that the card named.
    /// - Throws: `ReaderError`: what `transmit` throws; `.cardRemoved` for a response without a status word;
    ///   `.transportFailed` for one in more than 256 parts, or with an empty part.
    ///
    /// Spec: ISO 7816-4, sections 5.1.3 and 11.8.1; ISO 7816-3, section 12.2.1.
    public func exchange(_ command: CommandAPDU) throws(ReaderError) -> ResponseAPDU {
        let response = try answer(to: command)
        var data = response.data
        var status = response.status
        var parts = 0
        while status.first == 0x61 {
            let part = try answer(to: CommandAPDU.getResponse.expecting(status.second))
            parts += 1
            guard parts <= 256, !part.data.isEmpty || part.status.first != 0x61 else {
                throw ReaderError(.transportFailed, "The card's response never ends.")
            }
            data += part.data
            status = part.status
        }
        return ResponseAPDU(data: data, status: status)
    }

    /// The response to one command, sent again with the right Le if the card asks for that.
    private func answer(to command: CommandAPDU) throws(ReaderError) -> ResponseAPDU {
        let response = try answer(to: command.encoded)
        // With data, this is not a correction but the end of a response that was cut short: the command has run.
        guard response.status.first == 0x6C, response.data.isEmpty else { return response }
        return try answer(to: command.expecting(response.status.second).encoded)
    }

    private func answer(to bytes: [UInt8]) throws(ReaderError) -> ResponseAPDU {
        guard let response = ResponseAPDU(try transmit(bytes)) else {
            throw ReaderError(
                .cardRemoved, "The response has no status word: the card was removed while it was answering.")
        }
        return response
    }
}
