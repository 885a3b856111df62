import Bitcoin
import ByteCodec
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// The truth about `sign`: whoever holds the line and knows the transaction can have the card sign another one. No host can
/// prevent that. What a host can do is to raise the alarm, and sign nothing more.
@Suite struct SigningRelayTests {
    @Test func anotherDigestIsSignedAndTheAlarmIsRaisedAndNothingMoreIsSigned() async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try await FlowBench.ready(using: &generator)
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2wpkh, .p2wpkh]
        let psbt = try bench.wallet().psbt(recipe)
        let known = try psbt.spending(ofInput: 0).digest(.all, using: SighashCache(psbt.unsignedTransaction))
        let own = Digest(hashing: Array("the relay's transaction".utf8))
        let relay = DigestExchange(known: known, own: own)
        bench.watch.disturbance = relay
        let failure = await expectFailure { try await Story.signed(psbt, on: bench) }
        guard case .card(let error)? = failure else { return }
        #expect(failure?.failedProof == .signature)
        #expect(error.code == .alteredSignature && error.message.hasPrefix("ALARM"))
        #expect(error.remedy.contains("Move this key's money"))
        // The thief has what the page says it can have, and not one signature more.
        #expect(relay.loot.count == 1)
        let loot = try #require(relay.loot.first)
        let key = try PublicKey(loot.answer.bytes("pubkey") ?? [])
        let signature = try #require(ECDSASignature(compact: loot.answer.bytes("sig") ?? []))
        #expect(key.isValid(signature, for: own))
        #expect(bench.store.transaction(psbt.unsignedTransaction.id)?.psbt.inputs[0].partialSignatures.isEmpty == true)
    }

    /// What no host can notice: the theft is hidden behind one of the refusals that cards give in one of eight signatures.
    @Test func aThiefWhoHidesBehindARefusalRaisesNoAlarm() async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try await FlowBench.ready(using: &generator)
        let psbt = try bench.wallet().psbt()
        let known = try psbt.spending(ofInput: 0).digest(.all, using: SighashCache(psbt.unsignedTransaction))
        let relay = DigestExchange(
            known: known, own: Digest(hashing: Array("the relay's transaction".utf8)), hides: true)
        bench.watch.disturbance = relay
        #expect(try await Story.signed(psbt, on: bench).hasSuffix("signed 1"))
        let loot = try #require(relay.loot.first)
        let key = try PublicKey(loot.answer.bytes("pubkey") ?? [])
        let signature = try #require(ECDSASignature(compact: loot.answer.bytes("sig") ?? []))
        #expect(key.isValid(signature, for: relay.own))
    }

    /// A signature by a key of the relay's own, in place of the card's: the same alarm, for the card may have signed something
    /// else meanwhile.
    @Test func aSignatureByAnotherKeyRaisesTheAlarmToo() async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try await FlowBench.ready(using: &generator)
        let psbt = try bench.wallet().psbt()
        let digest = try psbt.spending(ofInput: 0).digest(.all, using: SighashCache(psbt.unsignedTransaction))
        let thief = try Relay(.inventedAccount).master.privateKey
        bench.watch.disturbance = FunctionInterceptor(onAnswer: { answer, exchange in
            guard exchange.name == "sign", var map = OverheardExchange.map(Array(answer.dropLast(2)))
            else { return .pass }
            map["sig"] = .bytes(thief.signGrindingLowR(digest: digest).compact)
            map["pubkey"] = .bytes(thief.publicKey.bytes)
            return .replace(CBOREncoder.encode(.map(map)) + answer.suffix(2))
        })
        let failure = await expectFailure { try await Story.signed(psbt, on: bench) }
        guard case .card(let error)? = failure else { return }
        #expect(failure?.failedProof == .signingKey && error.code == .alteredSignature)
    }
    /// The same theft from a SATSCARD's opened slot.
    @Test func aSweepWithAnotherDigestStopsAtTheFirstSlot() async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try FlowBench.satscard(opened: 2, using: &generator)
        let plan = try bench.sweepPlan()
        let known = try plan.psbt.spending(ofInput: 0)
            .digest(.all, using: SighashCache(plan.psbt.unsignedTransaction))
        let relay = DigestExchange(known: known, own: Digest(hashing: Array("the relay's transaction".utf8)))
        bench.watch.disturbance = relay
        let failure = await expectFailure { try await bench.sweep(plan) }
        guard case .card(let error)? = failure else { return }
        #expect(failure?.failedProof == .signature && error.code == .alteredSignature)
        #expect(relay.loot.count == 1)
        let stored = bench.store.transaction(plan.psbt.unsignedTransaction.id)
        #expect(stored?.psbt.inputs.allSatisfy { $0.partialSignatures.isEmpty } == true)
    }
}
