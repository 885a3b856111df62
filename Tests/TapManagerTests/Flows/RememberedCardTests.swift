import Bitcoin
import FlowSupport
import SmartCard
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// What the store has seen of a card, the card must say again: whoever rewrites answers cannot take proofs away by calling
/// it an older one.
@Suite struct RememberedCardTests {
    private typealias Version = TapSimulator.AppletVersion

    /// Says another version of the card, as a relay does.
    private static func saying(_ version: String) -> FunctionInterceptor {
        FunctionInterceptor(onAnswer: { answer, exchange in
            guard ["select", "status"].contains(exchange.name),
                let place = answer.firstRange(of: Array("cver".utf8) + [0x65])
            else { return .pass }
            var bent = answer
            bent.replaceSubrange(place.upperBound..<place.upperBound + 5, with: Array(version.utf8))
            return .replace(bent)
        })
    }

    private func slots(_ bench: FlowBench) async throws -> [SlotReport] {
        try await bench.run { try await SlotsFlow(driver: $0, cvc: nil).all() }
    }

    @Test func aLowerVersionThanBeforeFails() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 2, isBlank: true, using: &generator)
        _ = try await slots(bench)
        #expect(bench.store.card(bench.ident)?.version?.description == "1.0.3")
        bench.watch.disturbance = Self.saying("0.9.0")
        #expect(await expectFailure { try await slots(bench) }?.failedProof == .version)
        #expect(await expectFailure { try await bench.run { try await $0.prove() } }?.failedProof == .version)
        bench.watch.disturbance = nil
        _ = try await slots(bench)
        // Forgotten, it is a card that was never seen.
        #expect(bench.store.forgetCard(bench.ident))
        bench.watch.disturbance = Self.saying("0.9.0")
        _ = try await slots(bench)
        #expect(bench.store.card(bench.ident)?.version?.description == "0.9.0")
    }

    @Test func aHigherVersionIsRemembered() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(.v100, opened: 2, isBlank: true, using: &generator)
        _ = try await slots(bench)
        bench.watch.disturbance = Self.saying("1.0.9")
        _ = try await slots(bench)
        #expect(bench.store.card(bench.ident)?.version?.description == "1.0.9")
    }

    /// A card that no accepted factory made leaves nothing in the store.
    @Test func onlyAProvenCardIsRemembered() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 2, using: &generator) { $0.factory = .development }
        _ = try await bench.run { try await $0.prove() }
        #expect(bench.store.card(bench.ident) == nil)
    }

    /// Another key at a path where the card proved one before.
    @Test func anAccountThatContradictsTheStoreFails() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let other = try await FlowBench.ready(using: &generator)
        let path = try #require(bench.record.path)
        let foreign = try #require(other.store.provenAccount(of: try other.record.cardKey, at: path))
        bench.store.save(
            ProvenAccount(cardKey: try bench.record.cardKey, path: path, key: foreign.key, proven: foreign.proven))
        let cvc = try CVC(FlowBench.cvc)
        #expect(
            await expectFailure { try await bench.run { try await AccountFlow(driver: $0, cvc: cvc).keys().account } }?
                .failedProof == .remembered)
        let psbt = try bench.wallet().psbt()
        #expect(
            await expectFailure { try await bench.run { try await bench.signToTheEnd(psbt, $0) } }?.failedProof
                == .remembered)
    }

    /// The account is the one that was proven, and the master key, which makes the fingerprint, is not.
    @Test func aMasterKeyThatContradictsTheStoreFails() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let other = try await FlowBench.ready(using: &generator)
        let m = DerivationPath()
        let foreign = try #require(other.store.provenAccount(of: try other.record.cardKey, at: m))
        bench.store.save(
            ProvenAccount(cardKey: try bench.record.cardKey, path: m, key: foreign.key, proven: foreign.proven))
        let psbt = try bench.wallet().psbt()
        #expect(
            await expectFailure { try await bench.run { try await bench.signToTheEnd(psbt, $0) } }?.failedProof
                == .remembered)
        #expect(try bench.storedSignatureCount(of: psbt) == 0)
    }

    /// Whoever knows a long CVC could have signed in the card's place: what it proves is not taken for proven later.
    @Test(arguments: [16, 17]) func whatALongCVCProvesIsNotRemembered(_ digits: Int) async throws {
        var generator = SeededGenerator()
        let text = String(repeating: "7", count: digits)
        let bench = try FlowBench(using: &generator) { $0.cvc = text }
        let goal = SetupFlow.Goal(
            path: nil, chainCode: try generator.chainCode(), isChainCodeNamed: false, newCVC: nil)
        _ = try await bench.run { try await SetupFlow(driver: $0, cvc: CVC(text), goal: goal).run { _ in } }
        let path = try #require(bench.record.path)
        let known = bench.store.provenAccount(of: try bench.record.cardKey, at: path)
        #expect((known != nil) == (digits == 16))
    }
}
