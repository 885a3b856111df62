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

    /// Takes the line up again after the card was reset or laid back: the card's application must be selected anew.
    /// - Throws: `ReaderError`: `.noCard`, `.readerGone`, ….
    func reconnect() throws(ReaderError)

    /// Gives the card back to the system. The channel cannot be used afterwards.
    func disconnect()
}

extension CardChannel {
    /// Sends a command and returns the whole answer.
    ///
    /// `61xx` (more to fetch) is followed by GET RESPONSE until the answer is complete; `6Cxx` (wrong Le) by the same
    /// command with the length that the card named, once.
    /// - Throws: `ReaderError`: what `transmit` throws, and `.transportFailed` for an answer without a status word or
    ///   one above 65 536 bytes.
    ///
    /// Spec: ISO 7816-4, sections 5.1.3 and 11.8.1; ISO 7816-3, section 12.2.1.
    public func exchange(_ command: CommandAPDU) throws(ReaderError) -> ResponseAPDU {
        var response = try answer(to: command.encoded)
        if response.status.first == 0x6C {
            response = try answer(to: command.expecting(Int(response.status.second)).encoded)
        }
        var data = response.data
        while response.status.first == 0x61 {
            response = try answer(to: [0x00, 0xC0, 0x00, 0x00, response.status.second])
            guard !response.data.isEmpty, data.count + response.data.count <= 65_536 else {
                throw ReaderError(
                    .transportFailed, "The card announces more answer bytes and sends none, or never ends.")
            }
            data += response.data
        }
        return ResponseAPDU(data: data, status: response.status)
    }

    private func answer(to bytes: [UInt8]) throws(ReaderError) -> ResponseAPDU {
        guard let response = ResponseAPDU(try transmit(bytes)) else {
            throw ReaderError(.cardRemoved, "The answer has no status word: the card was lost in mid-answer.")
        }
        return response
    }
}

extension CommandAPDU {
    /// The same command with another expected length; 0 stands for 256.
    fileprivate func expecting(_ length: Int) -> CommandAPDU {
        CommandAPDU(self, expectedLength: length == 0 ? 256 : length)
    }
}
