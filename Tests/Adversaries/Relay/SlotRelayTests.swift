import Bitcoin
import ByteCodec
import FlowSupport
import Synchronization
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// A relay in front of a genuine SATSCARD that has no sealed slot, which makes it an old one with a sealed slot of the
/// relay's: the money would be the relay's. Nothing calls that proven, and a store that saw the card before says no.
@Suite struct SlotRelayTests {
    /// Says version 0.9.0, and has a slot of its own.
    private final class SlotInvention: CardInterceptor {
        private let key: ExtendedPrivateKey
        private let slotKey: PrivateKey
        private let nonce = Mutex<[UInt8]>([])

        init() throws {
            key = try ExtendedPrivateKey(seed: SecretBytes([UInt8](repeating: 0x4D, count: 32)), network: .test)
            slotKey = try key.child(ChildNumber(rawValue: 0)).privateKey
        }

        var address: Address? { Address(scriptPubKey: .p2wpkh(slotKey.publicKey), network: .test) }

        func command(_ exchange: CardExchange) -> CommandInterception {
            guard ["read", "derive"].contains(exchange.name),
                let request = OverheardExchange.request(in: exchange.command), let own = request.bytes("nonce")
            else { return .pass }
            let before = nonce.withLock { $0 }
            let prefix = Array("OPENDIME".utf8) + before + own
            var answer: CBORMap = ["card_nonce": .bytes(before)]
            if exchange.name == "read" {
                answer["pubkey"] = .bytes(slotKey.publicKey.bytes)
                answer["sig"] = .bytes(slotKey.sign(digest: Digest(hashing: prefix + [2])).compact)
            } else {
                answer["master_pubkey"] = .bytes(key.privateKey.publicKey.bytes)
                answer["chain_code"] = .bytes(key.chainCode.bytes)
                answer["sig"] = .bytes(
                    key.privateKey.sign(digest: Digest(hashing: prefix + key.chainCode.bytes)).compact)
            }
            return .answer(CBOREncoder.encode(.map(answer)) + [0x90, 0x00])
        }

        func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
            guard var map = OverheardExchange.map(Array(answer.dropLast(2))) else { return .pass }
            if ["select", "status"].contains(exchange.name), let text = address?.description {
                map["ver"] = .text("0.9.0")
                map["addr"] = .text("\(text.prefix(12))___\(text.suffix(12))")
            }
            nonce.withLock { $0 = map.bytes("card_nonce") ?? $0 }
            return .replace(CBOREncoder.encode(.map(map)) + answer.suffix(2))
        }
    }

    @Test func anInventedSlotIsNeverCalledProven() async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try FlowBench.satscard(opened: 2, isBlank: true, using: &generator)
        let relay = try SlotInvention()
        bench.watch.disturbance = relay
        let report = try await bench.report()
        // That far the relay comes with a card that nobody has seen before: it is shown as what it is.
        #expect(report.address == relay.address && report.state == .sealed)
        #expect(!report.isSealProven && !report.isAddressProven)
        let setup = try await bench.setUpNextSlot(chainCode: Story.chainCode)
        #expect(!setup.report.isSealProven && !setup.report.isAddressProven)
        let verified = try await bench.command { try await VerifyFlow(driver: $1, cvc: nil).run() }
        #expect(verified.proofs.contains { $0.name == .unprovenSlot && !$0.isProven })
        #expect(!verified.proofs.contains { $0.name == .proof(.slotKey) })
        #expect(verified.proofs.filter(\.isProven).map(\.name) == [.proof(.cardKey), .proof(.certificateChain)])
    }

    @Test func aStoreThatSawTheCardSaysNo() async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try FlowBench.satscard(opened: 2, isBlank: true, using: &generator)
        _ = try await bench.run { try await $0.prove() }
        bench.watch.disturbance = try SlotInvention()
        let failure = await expectFailure { try await bench.run { try await SlotsFlow(driver: $0, cvc: nil).one(nil) } }
        #expect(failure?.failedProof == .version)
    }
}
