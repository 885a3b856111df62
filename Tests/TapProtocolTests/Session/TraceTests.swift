import Bitcoin
import ByteCodec
import SmartCard
import Testing

@testable import TapProtocol

@Suite struct TraceTests {
    private let card: TestCard

    init() throws { card = try TestCard() }

    private func hex(_ events: [TraceEvent]) -> String {
        events.map {
            switch $0 {
            case .sent(_, let text), .received(_, let text): text
            default: ""
            }
        }.joined(separator: "\n")
    }

    @Test func secretsAreZeros() throws {
        let log = TraceLog()
        let backup = [UInt8](repeating: 0xDD, count: 124)
        let open = try OpenSession(
            .map(card.status()), .map(["success": .bool(true), "card_nonce": .bytes(TestCard.nonce(2))]),
            .map(["data": .bytes(backup), "card_nonce": .bytes(TestCard.nonce(3))]), .map(card.status()),
            trace: log.record)
        try open.session.changeCVC(from: try CVC("424242"), to: try CVC("98765432"))
        _ = try open.session.backup(cvc: try CVC("98765432"))
        let text = hex(log.events)
        for request in open.channel.requests.compactMap(ScriptedChannel.map(in:)) {
            for field in ["xcvc", "data"] {
                guard case .bytes(let secret)? = request[field] else { continue }
                #expect(!text.contains(Hex.encode(secret)))
            }
        }
        for secret in ["424242", "98765432"] {
            #expect(!text.contains(Hex.encode(Array(secret.utf8))) && !text.contains(secret))
        }
        #expect(!text.contains("dddddd"))
        let encoded = CBOREncoder.encode(
            .map(["xcvc": .bytes([UInt8](repeating: 0, count: 6)), "cmd": .text("change")]))
        #expect(text.contains(Hex.encode(encoded.dropFirst())))
        #expect(text.contains(Hex.encode(card.key.publicKey.bytes)))
    }

    @Test func privateKeysAreZerosAndTheRestStands() {
        let secret = [UInt8](repeating: 0xEE, count: 32)
        let map: CBORMap = [
            "privkey": .bytes(secret), "master_pk": .bytes(secret), "data": .array([.bytes(secret)]),
            "chain_code": .bytes([1, 2, 3]),
        ]
        let text = TraceMask.text(for: ResponseAPDU(data: CBOREncoder.encode(.map(map)), status: .success))
        #expect(!text.contains("eeee"))
        #expect(text.contains("43010203") && text.hasSuffix("9000"))
    }

    @Test func unreadableBytesAreCounted() throws {
        let answer = ResponseAPDU(data: [UInt8](repeating: 0xEE, count: 33), status: .success)
        #expect(TraceMask.text(for: answer) == "<33 unreadable bytes>9000")
        #expect(TraceMask.text(for: ResponseAPDU(data: [], status: .fileNotFound)) == "6a82")
    }

    @Test func everyExchangeIsTold() throws {
        let log = TraceLog()
        let open = try OpenSession(.map(card.status()), .map(card.status()), trace: log.record)
        try open.session.refreshStatus()
        #expect(log.events.count == 4)
        #expect(log.events.first == .sent(command: "select", apdu: Hex.encode(open.channel.requests[0])))
        #expect(log.events[2] == .sent(command: "status", apdu: Hex.encode(open.channel.requests[1])))
    }
}
