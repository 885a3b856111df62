import Bitcoin
import ByteCodec
import FlowSupport
import Foundation
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Where no host can keep a listener from learning the CVC: each is shown to be so, by name, so that the list that people
/// read is neither too long nor too short.
@Suite struct LeakTests {
    private func story(_ name: String, _ product: SimulatedProduct) throws -> Story {
        try #require(Story.all.first { $0.name == name && $0.product == product })
    }

    private func overhear(_ name: String, _ product: SimulatedProduct) async throws -> (FlowBench, [OverheardExchange])
    {
        let story = try story(name, product)
        let bench = try await story.twins().attacked
        let tap = WireTap()
        bench.watch.disturbance = tap
        _ = try await story.tell(bench)
        return (bench, tap.exchanges)
    }

    /// The transaction is published: its digest was what the session key hid.
    @Test(arguments: [SimulatedProduct.tapsigner, .satschip]) func signature(_ product: SimulatedProduct) async throws {
        let (bench, wire) = try await overhear("sign", product)
        let psbt = try bench.wallet().psbt()
        let digest = try psbt.spending(ofInput: 0).digest(.all, using: SighashCache(psbt.unsignedTransaction))
        #expect(!Listener(wire).knows(cvc: FlowBench.cvc))
        #expect(Listener(wire, knowing: [digest.bytes]).knows(cvc: FlowBench.cvc), "\(Leak.signature)")
    }

    /// The session key hides both CVCs, and so their difference not at all.
    @Test func theDifferenceOfCVCs() async throws {
        let (_, wire) = try await overhear("change-cvc", .tapsigner)
        var nonce: [UInt8] = []
        var difference: [UInt8] = []
        for exchange in wire {
            if exchange.name == "change", let xcvc = exchange.request.bytes("xcvc"),
                let data = exchange.request.bytes("data")
            {
                difference = xcvc.xor(data).xor(SHA256.hash(nonce + Array("change".utf8)))
            }
            nonce = exchange.answer.bytes("card_nonce") ?? nonce
        }
        #expect(difference == FlowBench.cvc.utf8.xor(Story.newCVC.utf8), "\(Leak.changedCVC)")
    }

    /// With the present CVC known, from whatever source, the new one is, and the other way round; but only as many digits as
    /// the present one has.
    @Test func changedCVC() async throws {
        let (_, wire) = try await overhear("change-cvc", .tapsigner)
        #expect(Listener(wire, cvcs: [FlowBench.cvc]).knows(cvc: Story.newCVC), "\(Leak.changedCVC)")
        #expect(!Listener(wire).knows(cvc: Story.newCVC))

        var generator = SeededGenerator(for: "story")
        let bench = try await FlowBench.ready(using: &generator)
        let tap = WireTap()
        bench.watch.disturbance = tap
        let long = "314159265358"
        try await bench.run { driver in
            try await ChangeCVCFlow(driver: driver, from: CVC(FlowBench.cvc), to: CVC(long)).change()
        }
        let listener = Listener(tap.exchanges, cvcs: [FlowBench.cvc])
        #expect(!listener.cvcs.contains(Array(long.utf8)))
        #expect(listener.beginnings == [Array(long.utf8.prefix(6))])
    }

    /// A card that sends the slot's master key as it is gives key and CVC away at once, one that hides it when the key is
    /// known.
    @Test(arguments: [false, true]) func openedSlot(_ hidesMasterKey: Bool) async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try FlowBench.satscard(opened: 2, using: &generator)
            .copy(habits: hidesMasterKey ? [.otherMasterKeys] : [])
        let tap = WireTap()
        bench.watch.disturbance = tap
        let opened = try await bench.unseal().opened
        #expect(opened.wasExposed == !hidesMasterKey)
        let key = try Hex.decode(try bench.slotKey(SlotNumber(index: 2)) ?? "")
        let listener = Listener(tap.exchanges)
        #expect(listener.knows(cvc: FlowBench.cvc) == !hidesMasterKey, "\(Leak.openedSlot)")
        #expect(listener.privateKeys.contains(key) == !hidesMasterKey)
        #expect(Listener(tap.exchanges, knowing: [key]).knows(cvc: FlowBench.cvc), "\(Leak.openedSlot)")
    }

    @Test func shownSlotKey() async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try FlowBench.satscard(opened: 2, using: &generator)
        let tap = WireTap()
        bench.watch.disturbance = tap
        _ = try await bench.reportsWithKeys()
        let key = try Hex.decode(try bench.slotKey(SlotNumber(index: 0)) ?? "")
        #expect(!Listener(tap.exchanges).knows(cvc: FlowBench.cvc))
        #expect(Listener(tap.exchanges, knowing: [key]).knows(cvc: FlowBench.cvc), "\(Leak.shownSlotKey)")
    }

    /// The handbook says the same as these tests, word for word.
    @Test func peopleReadTheSameList() throws {
        let page = Vectors.root.appendingPathComponent("Sources/TapKitCLI/Handbook.docc/Security.md")
        let text = try String(contentsOf: page, encoding: .utf8).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        for leak in Leak.allCases { #expect(text.contains(leak.sentence), "\(leak)") }
    }
}
