import SmartCard

/// The card as a phone sees it: an NFC Forum Type 4 tag with a link.
///
/// Spec: NFC Forum, Type 4 Tag Operation 2.0, sections 5 and 7.5.
extension TapSession {
    private enum Tag {
        static let application: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
        static let container: [UInt8] = [0xE1, 0x03]
        static let containerLength = 15
        /// Room for the longest link accepted and what surrounds it.
        static let longestMessage = NFCCommand.longestURL + 64
        /// The most that is read at once, whatever the tag allows; a short APDU cannot carry more.
        static let longestRead = 250
    }

    /// What errors and traces call requests to the tag.
    static let tagName = "tag"

    /// The link on the card's tag, as it is; the tap application is selected again afterwards. Not verified here.
    ///
    /// Wire: SELECT of the tag application and of its two files, READ BINARY; SELECT.
    /// - Throws: `TapError.statusWord` if the card is not a tag; `.badResponse(command: "tag")` if the tag contains no
    ///   link; `.reader`, `.anotherCard`, ….
    func tagURL() throws(TapError) -> String {
        // From here on the tap application is not selected, whatever happens.
        nonce = .unknown
        let outcome: Result<String, TapError>
        do throws(TapError) { outcome = .success(try readTag()) } catch { outcome = .failure(error) }
        if case .failure(.reader(let error)) = outcome { throw .reader(error) }
        try selectAgain()
        return try outcome.get()
    }

    private func readTag() throws(TapError) -> String {
        _ = try ask(0xA4, 0x04, 0x00, data: Tag.application, expecting: 256)
        _ = try ask(0xA4, 0x00, 0x0C, data: Tag.container)
        let container = try read(Tag.containerLength, at: 0, upTo: Tag.containerLength)
        // Version 2 or later of the mapping, and the first file control: where the message is, and free to read.
        guard container[2] >> 4 >= 2, container[7] == 0x04, container[8] == 0x06, container[13] == 0x00 else {
            throw bad("has no publicly readable message")
        }
        let readLimit = min(Int(container[3]) << 8 | Int(container[4]), Tag.longestRead)
        guard readLimit > 0 else { throw bad("does not allow reading") }
        _ = try ask(0xA4, 0x00, 0x0C, data: Array(container[9...10]))
        let lengthBytes = try read(2, at: 0, upTo: readLimit)
        let length = Int(lengthBytes[0]) << 8 | Int(lengthBytes[1])
        guard (1...Tag.longestMessage).contains(length) else { throw bad("has a message of \(length) bytes") }
        guard let uri = NDEFMessage.uri(try read(length, at: 2, upTo: readLimit)) else { throw bad("contains no link") }
        return uri
    }

    /// READ BINARY, as often as necessary.
    private func read(_ count: Int, at start: Int, upTo limit: Int) throws(TapError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let offset = start + bytes.count
            let wanted = min(limit, count - bytes.count)
            let part = try ask(
                0xB0, UInt8(truncatingIfNeeded: offset >> 8), UInt8(truncatingIfNeeded: offset), expecting: wanted)
            guard (1...wanted).contains(part.count) else { throw bad("ends too early") }
            bytes += part
        }
        return bytes
    }

    private func ask(
        _ instruction: UInt8, _ parameter1: UInt8, _ parameter2: UInt8, data: [UInt8] = [], expecting length: Int? = nil
    ) throws(TapError) -> [UInt8] {
        let command: CommandAPDU
        do {
            command = try CommandAPDU(
                class: 0x00, instruction: instruction, parameter1: parameter1, parameter2: parameter2, data: data,
                expectedLength: length)
        } catch { throw .invalidArgument(command: Self.tagName, problem: "does not fit into a short APDU") }
        let answer = try connection.transmit(command, named: Self.tagName)
        guard answer.status == .success else { throw .statusWord(answer.status, command: Self.tagName) }
        return answer.data
    }

    private func bad(_ problem: String) -> TapError { .badResponse(command: Self.tagName, field: "", problem: problem) }
}
