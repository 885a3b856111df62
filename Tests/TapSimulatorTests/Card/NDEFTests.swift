import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

/// The card as a telephone's tap reads it.
@Suite struct NDEFTests {
    private static let selectTag: [UInt8] = [
        0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00,
    ]
    private static let selectContainer: [UInt8] = [0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x03]
    private static let selectMessage: [UInt8] = [0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x04]
    private static let status = Array<UInt8>([0x00, 0xCB, 0x00, 0x00, 0x0C]) + StatusHandler.request
    private static let success: [UInt8] = [0x90, 0x00]

    private func card(_ options: SimulatedCardOptions = SimulatedCardOptions(product: .tapsigner)) throws
        -> SimulatedCard
    {
        let card = try SimulatedCard(options, waitDuration: .zero)
        try card.powerOn()
        return card
    }

    private func read(_ card: SimulatedCard, _ offset: Int, _ count: Int) throws -> [UInt8] {
        let answer = card.process(apdu: [0x00, 0xB0, UInt8(offset >> 8), UInt8(offset & 0xFF), UInt8(count)])
        #expect(answer.suffix(2) == Self.success)
        return Array(answer.dropLast(2))
    }

    /// Reads the link as the specification's read procedure does.
    /// - Parameter step: how many bytes at once.
    private func link(_ card: SimulatedCard, step: Int = 255) throws -> String {
        #expect(card.process(apdu: Self.selectTag) == Self.success)
        #expect(card.process(apdu: Self.selectContainer) == Self.success)
        let container = try read(card, 0, 15)
        #expect(container == (try Hex.decode("000f2000ff00ff0406e104020000ff")))
        #expect(card.process(apdu: Self.selectMessage) == Self.success)
        let length = try read(card, 0, 2)
        let count = Int(length[0]) << 8 | Int(length[1])
        #expect(count + 2 <= 0x200)
        var message: [UInt8] = []
        while message.count < count {
            let part = try read(card, 2 + message.count, min(step, count - message.count))
            try #require(!part.isEmpty)
            message += part
        }
        #expect(message.starts(with: [0xD1, 0x01]))
        #expect(Int(message[2]) == count - 4)
        #expect(message[3...4].elementsEqual([UInt8(ascii: "U"), 0x04]))
        return "https://" + String(decoding: message.dropFirst(5), as: UTF8.self)
    }

    @Test(arguments: SimulatedProduct.allCases) func theTagHoldsTheTapLink(product: SimulatedProduct) throws {
        let app = try AppSide(SimulatedCardOptions(product: product))
        let said = try app.send("nfc").string("url")
        let card = try card(SimulatedCardOptions(product: product))
        let read = try link(card)
        // As the command's, but for what differs between cards and times.
        #expect(read.prefix { $0 != "=" } == said.prefix { $0 != "=" })
        func fields(_ link: String) -> [Substring] {
            link.split(separator: "&").dropFirst().map { $0.prefix { $0 != "=" } }
        }
        #expect(fields(read) == fields(said))
        #expect(read.utf8.count == said.utf8.count)
    }

    @Test func aCardWithNothingToSignHasTheBareAddress() throws {
        var options = SimulatedCardOptions(product: .satscard)
        options.isBlank = true
        #expect(try link(card(options)) == "https://getsatscard.com/start#")
    }

    @Test func theLinkIsFreshAtEachSelectAndStandsBetween() throws {
        let card = try card()
        let first = try link(card, step: 7)
        let rest = Array(first.utf8.dropFirst(8)) + [UInt8](repeating: 0, count: 200)
        #expect(try read(card, 7, 200) == Array(rest.prefix(200)))
        #expect(card.process(apdu: Self.selectContainer) == Self.success)
        #expect(card.process(apdu: Self.selectMessage) == Self.success)
        #expect(try read(card, 7, 200) == Array(rest.prefix(200)))
        let second = try link(card)
        #expect(second != first)
        #expect(second.prefix(50) == first.prefix(50))
    }

    @Test func bothApplicationsTakeTurns() throws {
        let card = try card()
        _ = try link(card)
        #expect(card.process(apdu: Self.status) == [0x6D, 0x00])
        #expect(card.process(apdu: AppSide.select).suffix(2) == Self.success)
        #expect(card.process(apdu: Self.status).suffix(2) == Self.success)
        // The tag's commands are none of the tap card's.
        #expect(card.process(apdu: [0x00, 0xB0, 0x00, 0x00, 0x02]) == [0x6D, 0x00])
        #expect(card.process(apdu: Self.selectMessage) == [0x6A, 0x86])
        #expect(card.process(apdu: Self.status).suffix(2) == Self.success)
        _ = try link(card)
        card.powerOff()
        try card.powerOn()
        #expect(card.process(apdu: [0x00, 0xB0, 0x00, 0x00, 0x02]) == [0x6D, 0x00])
    }

    @Test(arguments: [
        // No such file; no file by a short name; beyond the end; no length; the length of a write; a write.
        ("00a4000c02e105", "6a82"), ("00a4000c00", "6a82"), ("00a4000002e103", "6a86"), ("00b0810002", "6a86"),
        ("00b0020002", "6b00"), ("00b00000", "6700"), ("00b0000002000000", "6700"), ("00d600000100", "6d00"),
        ("00a4040005f04361726400", "6a82"), ("80b0000002", "6e00"),
    ]) func whatTheTagRefuses(command: String, status: String) throws {
        let card = try card()
        let known = try link(card)
        #expect(Hex.encode(card.process(apdu: try Hex.decode(command))) == status)
        // And what is open stays open.
        #expect(try read(card, 7, 20) == Array(known.utf8.dropFirst(8).prefix(20)))
    }

    /// The longest answer that a short command can have, and the end of the file.
    @Test func theFileHasTheSizeThatTheContainerSays() throws {
        let card = try card()
        let known = try link(card)
        let longest = card.process(apdu: [0x00, 0xB0, 0x00, 0x00, 0x00])
        #expect(longest.count == 258 && longest.suffix(2) == Self.success)
        #expect(longest.dropFirst(7).starts(with: known.utf8.dropFirst(8)))
        let end = card.process(apdu: [0x00, 0xB0, 0x01, 0x00, 0x00])
        #expect(end == [UInt8](repeating: 0, count: 256) + Self.success)
        #expect(card.process(apdu: [0x00, 0xB0, 0x01, 0xFF, 0x00]) == [0x00] + Self.success)
    }

    @Test func withoutAFileNothingIsRead() throws {
        let card = try card()
        #expect(card.process(apdu: Self.selectTag) == Self.success)
        #expect(card.process(apdu: [0x00, 0xB0, 0x00, 0x00, 0x02]) == [0x69, 0x86])
    }

    @Test func aTagHoldsNoOtherLinks() throws {
        #expect(NDEFTag(link: "http://example.org") == nil)
        #expect(NDEFTag(link: "https://" + String(repeating: "x", count: 254)) != nil)
        #expect(NDEFTag(link: "https://" + String(repeating: "x", count: 255)) == nil)
    }
}
