/// An open line to one card. Not thread-safe: it belongs to the thread that opened it.
public protocol CardChannel: AnyObject {
    /// Sends the bytes of one APDU and returns the bytes of the answer: at least two, the last two a status word.
    /// - Throws: `ReaderError`: `.cardRemoved`, `.cardReset`, `.readerGone`, `.transportFailed`, ….
    func transmit(_ command: [UInt8]) throws(ReaderError) -> [UInt8]

    /// Keeps other programs from the card until `endTransaction`. Hold it for one flow step, never while a person
    /// thinks: others block without a time limit. Not nested.
    /// - Throws: `ReaderError`: `.cardReset` when another program reset the card since, `.cardRemoved`, ….
    func beginTransaction() throws(ReaderError)

    /// Lets other programs at the card again; does nothing without a transaction.
    func endTransaction()

    /// Takes the line up again after the card was reset or laid back, or the reader came back: without a transaction,
    /// and the card's application must be selected anew. May be tried again when it throws.
    /// - Throws: `ReaderError`: `.noCard`, `.readerGone`, `.noService`, ….
    func reconnect() throws(ReaderError)

    /// Gives the card back to the system. The channel cannot be used afterwards.
    func disconnect()
}

extension CardChannel {
    /// Sends a command and returns the whole answer.
    ///
    /// `61xx` (more to fetch) is followed by GET RESPONSE until the answer is complete; `6Cxx` (wrong Le) without data by
    /// the same command with the length that the card named, once.
    /// - Throws: `ReaderError`: what `transmit` throws; `.cardRemoved` for an answer without a status word;
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
                throw ReaderError(.transportFailed, "The card announces more and more of its answer without end.")
            }
            data += part.data
            status = part.status
        }
        return ResponseAPDU(data: data, status: status)
    }

    /// The answer to one command, its Le corrected if the card asks for that.
    private func answer(to command: CommandAPDU) throws(ReaderError) -> ResponseAPDU {
        let response = try answer(to: command.encoded)
        // Beside data it is no correction but the end of an answer that was cut short: the command has run.
        guard response.status.first == 0x6C, response.data.isEmpty else { return response }
        return try answer(to: command.expecting(response.status.second).encoded)
    }

    private func answer(to bytes: [UInt8]) throws(ReaderError) -> ResponseAPDU {
        guard let response = ResponseAPDU(try transmit(bytes)) else {
            throw ReaderError(.cardRemoved, "The answer has no status word: the card was lost in mid-answer.")
        }
        return response
    }
}
