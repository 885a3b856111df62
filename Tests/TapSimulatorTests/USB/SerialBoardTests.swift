import TestSupport
import Testing

@testable import TapSimulator

/// A PN532 board behind a bridge, as the kernel's drivers and libnfc use it.
@Suite(.timeLimit(.minutes(20)), .eightAtATime) struct SerialBoardTests {
    /// What a driver sends until the line has its rate: the kind, the code, the value, the index, the data.
    typealias Order = (kind: UInt8, code: UInt8, value: UInt16, index: UInt16, data: [UInt8])

    struct Bridge: Sendable {
        let model: USBReaderModel
        let endpoints: (toHost: UInt8, fromHost: UInt8)
        /// What the driver asks when it is bound, and what it must hear.
        let question: (code: UInt8, value: UInt16, length: UInt16)?
        let answer: [UInt8]
        let slow: Order
        let right: Order
        /// What each packet to the host begins with.
        var status: [UInt8] = []

        /// What came over the line in a transfer.
        func line(_ transfer: [UInt8]) -> [UInt8] {
            stride(from: 0, to: transfer.count, by: 64).flatMap { start in
                let packet = transfer[start..<min(start + 64, transfer.count)]
                #expect(packet.starts(with: status))
                return Array(packet.dropFirst(status.count))
            }
        }
    }

    private static let bridges = [
        Bridge(
            model: .pn532ch340, endpoints: (0x82, 0x02), question: (0x5F, 0, 2), answer: [0x31, 0x00],
            slow: (0x40, 0x9A, 0x1312, 0xB282, []), right: (0x40, 0x9A, 0x1312, 0xCC83, [])),
        Bridge(
            model: .pn532cp2102, endpoints: (0x81, 0x01), question: (0xFF, 0x370B, 1), answer: [0x02],
            slow: (0x41, 0x1E, 0, 0, [0x80, 0x25, 0, 0]), right: (0x41, 0x1E, 0, 0, [0x00, 0xC2, 0x01, 0x00])),
        Bridge(
            model: .pn532pl2303, endpoints: (0x83, 0x02), question: (0x01, 0x8484, 1), answer: [0],
            slow: (0x21, 0x20, 0, 0, [0x80, 0x25, 0, 0, 0, 0, 8]),
            right: (0x21, 0x20, 0, 0, [0x00, 0xC2, 0x01, 0x00, 0, 0, 8])),
        // cdc_acm makes no vendor requests.
        Bridge(
            model: .pn532ch9102, endpoints: (0x82, 0x02), question: nil, answer: [],
            slow: (0x21, 0x20, 0, 0, [0x80, 0x25, 0, 0, 0, 0, 8]),
            right: (0x21, 0x20, 0, 0, [0x00, 0xC2, 0x01, 0x00, 0, 0, 8])),
        Bridge(
            model: .pn532ft231x, endpoints: (0x81, 0x02), question: (0x0A, 0, 1), answer: [16],
            slow: (0x40, 0x03, 0x4138, 0, []), right: (0x40, 0x03, 0x001A, 0, []), status: [0x01, 0x60]),
    ]

    private static func tell(_ order: Order, _ host: RedirectionHost) throws {
        #expect(try host.control(order.kind, order.code, order.value, order.index, order.data).status == 0)
    }

    /// A command, the acknowledgement and the response; a transfer each.
    private static func send(_ command: [UInt8], _ bridge: Bridge, _ host: RedirectionHost) throws -> [UInt8] {
        #expect(try host.write(ChipReply.frame(command), to: bridge.endpoints.fromHost) == 0)
        #expect(try bridge.line(host.read(from: bridge.endpoints.toHost).bytes) == PN532Frames.acknowledge)
        let replies = try #require(try ChipReply.all(in: bridge.line(host.read(from: bridge.endpoints.toHost).bytes)))
        guard case .response(let bytes) = replies.first else { throw RedirectionHost.Failure(description: "error") }
        return bytes
    }

    @Test(arguments: bridges.indices) func aTapCardAnswersThroughIt(_ index: Int) async throws {
        let bridge = Self.bridges[index]
        let card = try SimulatedCard(SimulatedCardOptions(product: .tapsigner), waitDuration: .zero)
        try await ReaderStand.with(bridge.model, card) { stand in
            let host = try stand.host()
            if let question = bridge.question {
                let asked = try host.control(0xC0, question.code, question.value, length: question.length)
                #expect(asked.data == bridge.answer)
            }
            // What is no request of this bridge's is refused.
            #expect(try host.control(0xC0, 0x77, 0).status == 4)
            // At the wrong rate the chip hears nothing: what comes next is the answer to the second one.
            try Self.tell(bridge.slow, host)
            try host.write([0x55, 0x55, 0, 0, 0] + ChipReply.frame([0x02]), to: bridge.endpoints.fromHost)
            try Self.tell(bridge.right, host)
            // The chip is asleep, until libnfc wakes it.
            try host.write([0x55, 0x55, 0, 0, 0], to: bridge.endpoints.fromHost)
            #expect(try Self.send([0x14, 0x01], bridge, host) == [0x15])
            #expect(try Self.send([0x02], bridge, host) == [0x03, 0x32, 0x01, 0x06, 0x07])
            #expect(try Self.send([0x4A, 0x01, 0x00], bridge, host).starts(with: [0x4B, 1, 1]))
            #expect(try Self.send([0x40, 0x01] + AppSide.select, bridge, host).suffix(2) == [0x90, 0x00])
        }
    }

    /// The registers that the kernel computes for 9 600 bit/s and others, and the rate that comes of them.
    @Test(arguments: [(0xB282, 9_615), (0xCC83, 115_384), (0xD982, 19_230), (0x9883, 57_692)] as [(UInt16, UInt32)])
    func aCH340sRate(_ registers: UInt16, _ rate: UInt32) {
        var bridge = CH340Bridge()
        #expect(bridge.rate == nil)
        let request = USBRequest(kind: 0x40, code: 0x9A, value: 0x1312, index: registers, length: 0)
        #expect(bridge.answer(request, []) == [])
        #expect(bridge.rate == rate)
    }

    /// The divisors that the kernel computes for 9 600 bit/s and others, and the rate that comes of them.
    @Test(
        arguments: [
            (0x4138, 0, 9_600), (0x001A, 0, 115_384), (0x809C, 0, 19_200), (0x0000, 0, 3_000_000),
            (0x0001, 0, 2_000_000),
            (0x000C, 1, 242_424), (0x400C, 0, 240_000),
        ] as [(UInt16, UInt16, UInt32)])
    func anFT231XsRate(_ value: UInt16, _ index: UInt16, _ rate: UInt32) {
        var bridge = FT231XBridge()
        let request = USBRequest(kind: 0x40, code: 0x03, value: value, index: index, length: 0)
        #expect(bridge.answer(request, []) == [])
        #expect(bridge.rate == rate)
    }

    /// Only a whole line coding is taken, and it is read back.
    @Test func aPL2303sAnswers() {
        var bridge = PL2303Bridge()
        func ask(_ kind: UInt8, _ code: UInt8, _ data: [UInt8] = []) -> [UInt8]? {
            bridge.answer(USBRequest(kind: kind, code: code, value: 0, index: 0, length: 0), data)
        }
        let coding: [UInt8] = [0x80, 0x25, 0, 0, 0, 0, 8]
        #expect(ask(0xA1, 0x21) == [UInt8](repeating: 0, count: 7))
        #expect(bridge.rate == nil)
        #expect(ask(0x21, 0x20, coding) == [] && ask(0xA1, 0x21) == coding)
        #expect(bridge.rate == 9_600)
        #expect(ask(0x21, 0x20, [1]) == nil && ask(0xA1, 0x21) == coding)
        #expect(ask(0x21, 0x22) == [] && ask(0x21, 0x23) == [] && ask(0x40, 0x01) == [] && ask(0x40, 0x02) == nil)
    }

    /// The driver reads back how the flow is controlled, and the length must be right.
    @Test func aCP2102sAnswers() {
        var bridge = CP2102Bridge()
        func ask(_ kind: UInt8, _ code: UInt8, _ data: [UInt8] = []) -> [UInt8]? {
            bridge.answer(USBRequest(kind: kind, code: code, value: 0, index: 0, length: 0), data)
        }
        let flow = (0..<16).map { UInt8($0) }
        #expect(ask(0xC1, 0x14) == [UInt8](repeating: 0, count: 16))
        #expect(ask(0x41, 0x13, flow) == [] && ask(0xC1, 0x14) == flow)
        #expect(ask(0x41, 0x13, [1]) == [] && ask(0xC1, 0x14) == flow)
        #expect(ask(0xC1, 0x10)?.count == 19 && ask(0xC1, 0x08)?.count == 1)
        #expect(ask(0xC0, 0x0E) == nil)
    }
}
