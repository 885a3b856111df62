import Bitcoin
import ByteCodec
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Whoever only listens must not come to know the CVC, a private key or a session key, from any flow of any product.
@Suite struct ListenerTests {
    /// Runs a story with a listener beside it.
    private func overhear(_ story: Story) async throws -> (bench: FlowBench, wire: [OverheardExchange]) {
        let bench = try await story.twins().attacked
        let tap = WireTap()
        bench.watch.disturbance = tap
        _ = try await story.tell(bench)
        return (bench, tap.exchanges)
    }

    private func expectIgnorance(_ listener: Listener, _ comment: Comment? = nil) {
        #expect(!listener.knows(cvc: FlowBench.cvc) && !listener.knows(cvc: Story.newCVC), comment)
        #expect(listener.privateKeys.isEmpty && listener.sessionKeys.isEmpty, comment)
    }

    @Test(arguments: Story.all.filter { !Leak.isImmediate(in: $0) }) func nothingComesOutOfWhatPasses(_ story: Story)
        async throws
    {
        let (_, wire) = try await overhear(story)
        #expect(wire.contains { $0.name == "select" })
        expectIgnorance(Listener(wire))
    }

    /// Two flows beside each other give no more than each alone.
    @Test(arguments: [SimulatedProduct.tapsigner, .satschip, .satscard])
    func norOutOfAllFlowsTogether(_ product: SimulatedProduct) async throws {
        var wire: [OverheardExchange] = []
        for story in Story.all where story.product == product && !Leak.isImmediate(in: story) {
            wire += try await overhear(story).wire
        }
        expectIgnorance(Listener(wire))
    }

    /// A former owner knows the keys of the opened slots.
    @Test(arguments: Story.satscards.filter { Leak.leak(of: $0)?.isOfSlots != true }) func formerOwnersLearnNothing(
        _ story: Story
    )
        async throws
    {
        let (bench, wire) = try await overhear(story)
        let keys = try [0, 1].compactMap { try bench.slotKey(SlotNumber(index: $0)) }.map { try Hex.decode($0) }
        #expect(keys.count == 2)
        let listener = Listener(wire, knowing: keys)
        expectIgnorance(listener)
    }

    /// Everything is public that will ever be: transactions, messages, the keys of all slots that were opened. The CVC comes
    /// out of no story but those of the list, and out of each of them.
    @Test(arguments: Story.all) func onlyWhatIsOnTheListComesOutInTheEnd(_ story: Story) async throws {
        let (bench, wire) = try await overhear(story)
        var known = [BIP137Signature.digest(of: Story.message).bytes]
        let psbt = try bench.record.path == nil ? bench.sweepPlan().psbt : bench.wallet().psbt()
        let digests = SighashCache(psbt.unsignedTransaction)
        known += try psbt.inputs.indices.map { try psbt.spending(ofInput: $0).digest(.all, using: digests).bytes }
        for slot in try bench.record.slots ?? [] where slot.state == .unsealed {
            known.append(try Hex.decode(try bench.slotKey(SlotNumber(index: slot.number)) ?? ""))
        }
        let listener = Listener(wire, knowing: known)
        #expect(listener.knows(cvc: FlowBench.cvc) == (Leak.leak(of: story) != nil))
        #expect(!listener.knows(cvc: Story.newCVC))
    }

    /// TAPSIGNER `read` hides a key that `xpub` says aloud: it is never sent.
    @Test(arguments: Story.signers) func readIsNeverSentToASigner(_ story: Story) async throws {
        let (_, wire) = try await overhear(story)
        #expect(!wire.contains { $0.name == "read" })
    }

    /// An opened slot's key is asked for only when a person asked for it.
    @Test(arguments: Story.satscards.filter { Leak.leak(of: $0) != .shownSlotKey })
    func noKeyIsAskedForThatNobodyAskedFor(_ story: Story) async throws {
        let (_, wire) = try await overhear(story)
        #expect(!wire.contains { $0.name == "dump" && $0.request["xcvc"] != nil })
    }
}
