import Bitcoin
import FlowSupport
import LyingCards
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Nothing that is shown as proven, exported, stored or called change differs from the honest run, whatever a relay makes
/// of the answers: the flow fails, or nothing came of the lie.
@Suite struct RelayTests {
    @Test(arguments: Story.signers, Relay.Lie.allCases)
    func nothingDiffersFromTheHonestRun(_ story: Story, _ lie: Relay.Lie) async throws {
        let (honest, attacked) = try await story.twins()
        let truth = try await story.tell(honest)
        attacked.watch.disturbance = try Relay(
            lie, digests: attacked.record.path == nil ? [] : Self.digests(try attacked.wallet().psbt()))
        do {
            let told = try await story.tell(attacked)
            #expect(told == truth)
        } catch let error as FlowError {
            print("\(story.testDescription), \(lie): \(error)")
        }
        try Self.expectNothingStored(by: attacked, unlike: honest)
    }

    /// The thief wrote the PSBT as well: its coins and its change are the relay's, said to be the card's.
    @Test(arguments: Relay.Lie.allCases) func noChangeOfTheRelaysIsProven(_ lie: Relay.Lie) async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try await FlowBench.ready(using: &generator).copy(store: MemoryStore())
        let psbt = try SampleWallet(master: try Relay(lie).master).psbt()
        bench.watch.disturbance = try Relay(lie, digests: try Self.digests(psbt))
        let failure = await expectFailure {
            try await bench.run { driver in
                try await SignFlow(driver: driver, cvc: CVC(FlowBench.cvc)).prepare(
                    psbt, network: nil, policy: SigningPolicy())
            }
        }
        print("\(lie): \(failure.map { "\($0)" } ?? "")")
    }

    /// What a relay that knows the transaction knows to be asked for.
    private static func digests(_ psbt: PSBT) throws -> [Digest] {
        let digests = SighashCache(psbt.unsignedTransaction)
        return try psbt.inputs.indices.map { index in
            try psbt.spending(ofInput: index).digest(.all, using: digests)
        }
    }

    private static func expectNothingStored(by attacked: FlowBench, unlike honest: FlowBench) throws {
        let known = Set(honest.store.cards().map(\.fingerprint))
        for card in attacked.store.cards() { #expect(known.contains(card.fingerprint) || card.fingerprint == nil) }
        let cardKey = try honest.record.cardKey
        for path in ["m", "m/48h/1h/0h/2h"] + FlowBench.usualPaths {
            let path = try DerivationPath(parsing: path)
            let stored = attacked.store.provenAccount(of: cardKey, at: path)?.key
            #expect(stored == nil || stored == honest.store.provenAccount(of: cardKey, at: path)?.key, "\(path)")
        }
        // No signature of the relay's is kept beside those that the honest card gave.
        for summary in attacked.store.transactions(limit: 9, offset: 0) {
            let own = honest.store.transaction(summary.id)?.psbt.inputs.map(\.partialSignatures.count) ?? []
            let kept = attacked.store.transaction(summary.id)?.psbt.inputs.map(\.partialSignatures.count) ?? []
            #expect(zip(kept, own).allSatisfy { $0 <= $1 })
        }
    }
}
