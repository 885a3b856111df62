import TestSupport
import Testing

@testable import TapSimulator

/// A host that breaks usbredir is hung up on, and nothing worse happens.
@Suite(.timeLimit(.minutes(20)), .eightAtATime) struct MalformedPacketTests {
    private static func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] { RedirectionHost.little(value) }

    private static func packet(
        _ kind: UInt32, length: Int? = nil, _ content: [UInt8] = [], isWide: Bool = true
    ) -> [UInt8] {
        let number = isWide ? little(5 as UInt64) : little(5 as UInt32)
        return little(kind) + little(UInt32(length ?? content.count)) + number + content
    }

    private static func hello(_ capabilities: [UInt32] = [RedirectionHost.everything], cut: Int = 0) -> [UInt8] {
        let content = [UInt8](repeating: 0, count: 64) + capabilities.flatMap { little($0) }
        return packet(0, Array(content.dropLast(cut)), isWide: false)
    }

    private static func control(_ kind: UInt8, length: UInt16, _ data: [UInt8] = [], endpoint: UInt8 = 0) -> [UInt8] {
        packet(100, [endpoint, 6, kind, 0, 0, 1, 0, 0] + little(length) + data)
    }

    private static func bulk(_ endpoint: UInt8, length: Int, _ data: [UInt8] = []) -> [UInt8] {
        let lengths = (low: little(UInt16(length & 0xFFFF)), high: little(UInt16(length >> 16)))
        return packet(101, [endpoint, 0] + lengths.low + [0, 0, 0, 0] + lengths.high + data)
    }

    private func port() throws -> USBPort {
        var port = USBPort(CCIDReader.acr1252u)
        port.connect()
        return port
    }

    @Test(arguments: [
        // Before hello: another packet, hello of a wrong length, one that would never end.
        packet(3, isWide: false), hello(cut: 5), hello(cut: 1), hello(Array(repeating: 0, count: 9)),
        packet(0, length: 0x7FFF_FFFF, isWide: false),
        packet(0, length: 63, isWide: false) + [UInt8](repeating: 0, count: 63),
        // A second hello, kinds that there are not, and those that only a device's end sends.
        hello() + packet(0, [UInt8](repeating: 0, count: 68)), hello() + packet(99), hello() + packet(0xFFFF_FFFF),
        hello() + packet(1, [UInt8](repeating: 0, count: 10)), hello() + packet(2), hello() + packet(4),
        hello() + packet(5),
        hello() + packet(8, [0, 0]), hello() + packet(11, [0, 0, 0]), hello() + packet(17, [0, 0]),
        // What only hosts of other devices send, and a refusal.
        hello() + packet(12, [1, 1, 1]), hello() + packet(18, [0, 0, 0, 0, 0, 0, 0, 0]), hello() + packet(22),
        hello() + packet(25, [UInt8](repeating: 0, count: 10)), hello() + packet(102, [1, 0, 0, 0]),
        // Too short, too long.
        hello() + packet(3, [0]), hello() + packet(6), hello() + packet(6, [1, 1]), hello() + packet(7, [0]),
        hello() + packet(9, [0]), hello() + packet(9, [0, 0, 0]), hello() + packet(10), hello() + packet(15),
        hello() + packet(16, [0x81, 0]), hello() + packet(21, [0]), hello() + packet(24, [0]),
        // Lengths that lie.
        hello() + control(0x80, length: 8, [1]), hello() + control(0x00, length: 2),
        hello() + control(0x00, length: 1, [1, 2]),
        hello() + control(0x80, length: 8, endpoint: 0x81), hello() + packet(100, [0, 0, 0]),
        hello() + bulk(0x02, length: 11, [UInt8](repeating: 0, count: 10)),
        hello() + bulk(0x02, length: 9, [UInt8](repeating: 0, count: 10)),
        hello() + bulk(0x02, length: 0xFFFF_FFFF), hello() + bulk(0x82, length: 4, [1]),
        hello() + packet(101, [2, 0, 0]),
        hello() + packet(101, length: 0x1_0011), hello() + packet(101, length: 0xFFFF_FFFF),
        hello() + packet(103, [0x02, 0, 5, 0, 1]), hello() + packet(103, [0x81, 0, 1, 0, 1]),
        hello() + packet(103, [2, 0]),
    ])
    func isHungUpOn(_ bytes: [UInt8]) throws {
        var whole = try port()
        #expect(throws: RedirectionViolation.self) { try whole.receive(bytes, at: .now) }
        // The same byte by byte.
        var slow = try port()
        #expect(throws: RedirectionViolation.self) {
            for byte in bytes { try slow.receive([byte], at: .now) }
        }
    }

    /// Odd, but right.
    @Test(arguments: [
        hello([]), hello([RedirectionHost.everything, 0, 0]), hello() + packet(23, Array("0x0b,-1,-1,-1,1".utf8) + [0]),
        hello() + packet(24), hello() + packet(21), hello() + packet(3) + packet(3),
        hello() + control(0x80, length: 0), hello() + control(0xFF, length: 0xFFFF), hello() + packet(16, [0x55]),
        hello() + bulk(0x02, length: 0), hello() + bulk(0x9F, length: 0xFFFF_FFFF),
        hello() + bulk(0x02, length: 65_520, [UInt8](repeating: 7, count: 65_520)),
        hello() + packet(103, [0x02, 0, 1, 0, 1]), hello() + packet(9, [9, 9]), hello() + packet(10, [9]),
    ])
    func isNot(_ bytes: [UInt8]) throws {
        var port = try port()
        try port.receive(bytes, at: .now)
        #expect(port.isGreeted)
    }

    /// What a host writes to the reader itself is never worth hanging up: the reader answers, or does not.
    @Test func noMessageToAReaderIsTooWrong() throws {
        var random = SeededGenerator()
        for model in USBReaderModel.allCases {
            var port = USBPort(model.device)
            port.connect()
            port.device.lay(FieldTarget())
            try port.receive(Self.hello() + Self.packet(6, [1]), at: .now)
            let endpoint: UInt8 = port.device.description.endpoint(0x02) == nil ? 0x04 : 0x02
            let kinds: [UInt8] = [
                0x61, 0x62, 0x63, 0x65, 0x69, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F, 0x71, 0x72, 0x73, 0x00,
            ]
            for round in 0..<2_000 {
                let count = Int.random(in: 0...80, using: &random)
                var message = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                if round % 2 == 0, count >= 10 {
                    // A message that is right until its details.
                    message.replaceSubrange(
                        0..<6, with: [kinds[round / 2 % kinds.count]] + Self.little(UInt32(count - 10)) + [0])
                }
                if round % 4 == 0, count >= 15 {
                    message.replaceSubrange(10..<15, with: [0xFF, 0x00, 0x00, 0x00, UInt8(count - 15)])
                }
                try port.receive(Self.bulk(endpoint, length: count, message), at: .now)
                try port.receive(Self.bulk(endpoint | 0x80, length: 512), at: .now)
                if round % 8 == 7 { try port.receive(Self.packet(6, [1]), at: .now) }
                _ = port.takeOutput()
                if port.device.takeQuestion() != nil { port.device.cardAnswered([0x90, 0x00]) }
            }
        }
    }

    @Test func tooManyOffersEndIt() throws {
        var port = try port()
        try port.receive(Self.hello() + Self.packet(6, [1]), at: .now)
        #expect(throws: RedirectionViolation.self) {
            for _ in 0...USBPort.mostWaiting { try port.receive(Self.bulk(0x82, length: 64), at: .now) }
        }
    }

    @Test func theServerHangsUpAndServesTheNext() async throws {
        try await ReaderStand.with(.acr1252u) { stand in
            let liar = try RedirectionHost(stand.path)
            liar.sendRaw(Self.hello() + Self.packet(101, length: 0xFFFF_FFFF))
            #expect(liar.isHungUpOn())
            #expect(try stand.driver().powerOn() == SimulatedCard.answerToReset)
            #expect(stand.said.contains { if case .refused = $0 { true } else { false } })
        }
    }
}
