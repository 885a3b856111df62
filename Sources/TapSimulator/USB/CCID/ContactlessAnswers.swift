/// What a contactless reader makes up for a card that knows only ISO 14443.
///
/// Spec: PC/SC part 3, revision 2.01.09, sections 3.1.3.2.3 (answer to reset) and 3.2.2.1.3 (Get Data).
enum ContactlessAnswers {
    /// The class of commands for the reader itself.
    static let readerClass: UInt8 = 0xFF
    /// The status word for a reader's command that it does not know.
    static let notSupported: [UInt8] = [0x6A, 0x81]
    private static let success: [UInt8] = [0x90, 0x00]
    private static let failed: [UInt8] = [0x63, 0x00]

    /// The answer to reset of an ISO 14443-4 type A card: its historical bytes, up to 15, as T=0 and T=1 would have them.
    static func answerToReset(_ historicalBytes: [UInt8]) -> [UInt8] {
        let historicalBytes = historicalBytes.prefix(15)
        let content = [0x80 | UInt8(historicalBytes.count), 0x80, 0x01] + historicalBytes
        return [0x3B] + content + [content.reduce(0, ^)]
    }

    /// The answer to a question about the card: its identifier, or its historical bytes.
    /// - Returns: `nil` for another command.
    static func answer(_ apdu: [UInt8], card: ContactlessCard?) -> [UInt8]? {
        guard apdu.starts(with: [readerClass, 0xCA]), apdu.count == 5, apdu[3] == 0x00 else { return nil }
        guard let card, card.level == .inProtocol else { return failed }
        switch apdu[2] {
        case 0x00: return card.target.identifier + success
        case 0x01: return card.target.historicalBytes + success
        default: return notSupported
        }
    }
}
