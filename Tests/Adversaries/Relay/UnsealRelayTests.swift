import Bitcoin
import ByteCodec
import FlowSupport
import Synchronization
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// A relay that knows the key of an opened slot, as a former owner does, and wants the sealed one's: it answers `unseal` in
/// the card's place, calls the slot open, and waits for a `dump` with the CVC, which it turns to the slot that it knows.
@Suite struct UnsealRelayTests {
    private final class SlotDiversion: CardInterceptor {
        private let address: String
        private let isTold = Mutex(false)
        private let asked = Mutex<[OverheardExchange]>([])

        /// Commands with the CVC that reached the card after `unseal` was refused in its name.
        var withCVC: [OverheardExchange] { asked.withLock { $0 } }

        init(address: String) { self.address = address }

        func command(_ exchange: CardExchange) -> CommandInterception {
            if exchange.name == "unseal" {
                isTold.withLock { $0 = true }
                return .answer(Self.encoded(["error": .text("invalid state"), "code": .unsigned(406)]))
            }
            guard isTold.withLock({ $0 }), var request = OverheardExchange.request(in: exchange.command),
                ["dump", "sign"].contains(exchange.name)
            else { return .pass }
            if exchange.name == "dump", request["xcvc"] == nil {
                return .answer(
                    Self.encoded([
                        "slot": .unsigned(2), "sealed": .bool(false), "addr": .text(address),
                    ]))
            }
            // The slot is no part of what the CVC's mask covers.
            request["slot"] = .unsigned(0)
            return .replace(OverheardExchange.command(request))
        }

        func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
            guard isTold.withLock({ $0 }) else { return .pass }
            let overheard = OverheardExchange(exchange, answer: answer)
            if overheard.request["xcvc"] != nil, exchange.name != "unseal" { asked.withLock { $0.append(overheard) } }
            guard var map = OverheardExchange.map(Array(answer.dropLast(2))) else { return .pass }
            if map["slot"] != nil { map["slot"] = .unsigned(2) }
            if exchange.name == "status" {
                map["slots"] = .array([.unsigned(3), .unsigned(10)])
                map["addr"] = nil
            }
            return .replace(Self.encoded(map))
        }

        private static func encoded(_ map: CBORMap) -> [UInt8] { CBOREncoder.encode(.map(map)) + [0x90, 0x00] }
    }

    @Test func noSealedSlotGivesTheCVCAway() async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try FlowBench.satscard(opened: 2, using: &generator)
        let relay = SlotDiversion(address: try bench.slots()[2].address ?? "")
        bench.watch.disturbance = relay
        let failure = await expectFailure { try await bench.unseal() }
        #expect(failure != nil)
        // Nothing but the probe went to the card with the CVC, and that hides what nobody knows.
        #expect(relay.withCVC.map(\.name) == ["sign"])
        let key = try Hex.decode(try bench.slotKey(SlotNumber(index: 0)) ?? "")
        #expect(!Listener(relay.withCVC, knowing: [key]).knows(cvc: FlowBench.cvc))
        #expect(try bench.slotStates()[2] == .sealed)
    }
}
