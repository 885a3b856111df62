import Bitcoin
import ByteCodec
import FlowSupport
import SmartCard
import TapSimulator
import TestSupport
import Testing

@testable import TapProtocol

/// The listener is worth its name: it catches flows that ask what ours once asked.
@Suite struct ListenerMutantTests {
    /// `read` as tapkit sent it to a TAPSIGNER.
    private struct OldRead: TapCommand {
        static let name = "read"
        static let usesAppNonce = true
        static func authentication(for product: CardProduct) -> Authentication { .required }
        func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> [UInt8] {
            try fields.bytes("pubkey", count: 33)
        }
    }

    @Test(arguments: [SimulatedProduct.tapsigner, .satschip])
    func aFlowThatReadsASignersKeyGivesTheCVCAway(_ product: SimulatedProduct) async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try await FlowBench.ready(product, using: &generator)
        let tap = WireTap()
        bench.watch.disturbance = tap
        try await TapCard(reader: bench.reader).perform { session in
            let cvc = try CVC(FlowBench.cvc)
            _ = try session.extendedPublicKey(master: false, cvc: cvc)
            _ = try session.send(OldRead(), cvc: cvc)
        }
        let listener = Listener(tap.exchanges)
        #expect(listener.knows(cvc: FlowBench.cvc) && !listener.sessionKeys.isEmpty)
    }

    @Test func aLookAtSlotsThatTakesTheirKeysGivesTheCVCAndTheSealedSlotAway() async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try FlowBench.satscard(opened: 2, using: &generator)
        let tap = WireTap()
        bench.watch.disturbance = tap
        try await TapCard(reader: bench.reader).perform { session in
            _ = try session.dump(SlotNumber(index: 0), cvc: try CVC(FlowBench.cvc))
        }
        let key = try Hex.decode(try bench.slotKey(SlotNumber(index: 0)) ?? "")
        #expect(Listener(tap.exchanges, knowing: [key]).knows(cvc: FlowBench.cvc))
    }

    /// A probe over bytes that somebody knows is none.
    @Test func aProbeOverKnownBytesGivesTheCVCAway() async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try await FlowBench.ready(using: &generator)
        let tap = WireTap()
        bench.watch.disturbance = tap
        let known = Digest(hashing: Array("a constant".utf8))
        try await TapCard(reader: bench.reader).perform { session in
            _ = try session.sign(digest: known, subpath: DerivationPath(), cvc: try CVC(FlowBench.cvc))
        }
        #expect(Listener(tap.exchanges, knowing: [known.bytes]).knows(cvc: FlowBench.cvc))
    }
}
