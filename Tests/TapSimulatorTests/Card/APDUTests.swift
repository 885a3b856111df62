import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

@Suite struct APDUTests {
    private func card() throws -> SimulatedCard {
        let card = try SimulatedCard(SimulatedCardOptions(product: .tapsigner), waitDuration: .zero)
        try card.powerOn()
        return card
    }

    private static let status = Array<UInt8>([0x00, 0xCB, 0x00, 0x00, 0x0C]) + StatusHandler.request

    @Test func theConstantsAreThePublishedOnes() throws {
        let row = try VectorCard.rows("constants")[0]
        #expect(SimulatedCard.answerToReset == (try row.bytes("atr")))
        #expect(CardCore.applicationIdentifier == (try row.bytes("app_id")))
        #expect(AppSide.select == (try row.bytes("select_apdu")))
        #expect(CardCore.delayAfterWrongCVCs == row["auth_delay_seconds"])
        #expect(CardCore.freeAttempts == row["wrong_cvc_before_delay"])
        #expect(TapsignerState.mostBackups == row["num_backups_max"])
        #expect(SatscardState.slotCount == row["satscard_slots"])
    }

    @Test func nothingWorksBeforeSelect() throws {
        let card = try card()
        #expect(card.process(apdu: Self.status) == [0x6D, 0x00])
        #expect(card.process(apdu: AppSide.select).suffix(2) == [0x90, 0x00])
        #expect(card.process(apdu: Self.status).suffix(2) == [0x90, 0x00])
        card.powerOff()
        #expect(!card.hasPower)
        #expect(card.process(apdu: AppSide.select) == [0x6D, 0x00])
        try card.powerOn()
        #expect(card.process(apdu: Self.status) == [0x6D, 0x00])
    }

    @Test func selectAnswersTheStatus() throws {
        let answer = try card().process(apdu: AppSide.select)
        guard case .map(let map) = try CBORDecoder.decode(Array(answer.dropLast(2))) else {
            Issue.record("no map")
            return
        }
        #expect(map["proto"] == .unsigned(1))
        #expect(try map.content("card_nonce").count == 16)
    }

    @Test(arguments: [
        ("", "6700"), ("00", "6700"), ("00cb00", "6700"), ("80cb0000", "6e00"), ("00ca0000", "6d00"),
        ("00cb0001", "6a86"), ("00cb0100", "6a86"), ("00a40400", "6a82"), ("00a4040000", "6a82"),
        ("00a4040005f04361726400", "6a82"), ("00a4000c02f043", "6a86"), ("00a404000ff043", "6700"),
        ("00cb000005a0", "6700"), ("00cb000001a00000", "6700"), ("00cb0000000001a0", "6700"),
    ]) func malformedCommandsHaveTheirStatusWords(command: String, status: String) throws {
        let card = try card()
        _ = card.process(apdu: AppSide.select)
        #expect(Hex.encode(card.process(apdu: try Hex.decode(command))) == status)
        #expect(card.process(apdu: Self.status).suffix(2) == [0x90, 0x00])
    }

    @Test func anExpectedLengthMayFollow() throws {
        let card = try card()
        #expect(card.process(apdu: AppSide.select + [0x00]).suffix(2) == [0x90, 0x00])
        #expect(card.process(apdu: Self.status + [0x00]).suffix(2) == [0x90, 0x00])
    }

    /// 100 000 commands of random bytes, half of them made to look like requests.
    @Test func randomBytesNeverTrap() throws {
        var random = SeededGenerator()
        var cards: [SimulatedCard] = []
        for product in SimulatedProduct.allCases {
            let card = try SimulatedCard(SimulatedCardOptions(product: product), waitDuration: .zero)
            try card.powerOn()
            #expect(card.process(apdu: AppSide.select).suffix(2) == [0x90, 0x00])
            cards.append(card)
        }
        let names = CommandTable.handlers.map { $0.name }
        for round in 0..<100_000 {
            let card = cards[round % cards.count]
            let command: [UInt8]
            switch round % 4 {
            case 0: command = random.bytes(0...300)
            case 1:
                let body = random.bytes(1...255)
                command = [0x00, 0xCB, 0x00, 0x00, UInt8(body.count)] + body
            default:
                let body = CBOREncoder.encode(.map(Self.request(names, &random))).prefix(255)
                command = [0x00, 0xCB, 0x00, 0x00, UInt8(body.count)] + body
            }
            let answer = card.process(apdu: command)
            if answer.count < 2 { Issue.record("no status word after \(Hex.encode(command))") }
        }
        for card in cards { #expect(card.process(apdu: Self.status).suffix(2) == [0x90, 0x00]) }
    }

    private static func request(_ names: [String], _ random: inout SeededGenerator) -> CBORMap {
        var map: CBORMap = ["cmd": .text(names[Int(random.next() % UInt64(names.count))])]
        for key in ["nonce", "slot", "path", "subpath", "digest", "data", "chain_code", "master", "epubkey", "xcvc"]
        where random.next() % 3 == 0 {
            map[key] =
                switch random.next() % 7 {
                case 0: .unsigned(random.next())
                case 1: .unsigned(random.next() % 12)
                case 2: .bytes(random.bytes(fixed([16, 32, 33, 6, 0], &random)))
                case 3: .array([.unsigned(random.next()), .unsigned(random.next() % 4)])
                case 4: .bool(random.next() % 2 == 0)
                case 5: .negative(offset: random.next())
                default: .null
                }
        }
        return map
    }

    /// A range of one of the counts.
    private static func fixed(_ counts: [Int], _ random: inout SeededGenerator) -> ClosedRange<Int> {
        let count = counts[Int(random.next() % UInt64(counts.count))]
        return count...count
    }
}
