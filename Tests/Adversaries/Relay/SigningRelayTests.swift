import Bitcoin
import ByteCodec
import FlowSupport
import Synchronization
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// The truth about `sign`: whoever holds the line and knows the transaction can have the card sign another one. No host can
/// prevent that. What a host can do is to raise the alarm, and sign nothing more.
@Suite struct SigningRelayTests {
    /// Puts another digest in the place of a known one, under the session key that hides both.
    private final class DigestExchange: CardInterceptor {
        private struct State {
            /// What came of it: exchanges whose signature is one over the relay's digest.
            var loot: [OverheardExchange] = []
            /// The card's nonce as the host knows it, and as it is.
            var told: [UInt8] = []
            var real: [UInt8] = []
        }

        private let known: [UInt8]
        let own: [UInt8]
        /// Whether the theft is hidden behind a refusal, and followed by honesty.
        private let hides: Bool
        private let state = Mutex(State())

        var loot: [OverheardExchange] { state.withLock { $0.loot } }

        init(known: [UInt8], own: [UInt8], hides: Bool = false) {
            (self.known, self.own, self.hides) = (known, own, hides)
        }

        func command(_ exchange: CardExchange) -> CommandInterception {
            guard exchange.name == "sign", var request = OverheardExchange.request(in: exchange.command),
                let hidden = request.bytes("digest"), let xcvc = request.bytes("xcvc")
            else { return .pass }
            let state = state.withLock { $0 }
            if !hides || state.loot.isEmpty { request["digest"] = .bytes(hidden.xor(known).xor(own)) }
            // The CVC's mask is made of what everybody knows.
            let masks = [state.told, state.real].map { SHA256.hash($0 + Array("sign".utf8)) }
            request["xcvc"] = .bytes(xcvc.xor(masks[0]).xor(masks[1]))
            return .replace(OverheardExchange.command(request))
        }

        func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
            let overheard = OverheardExchange(exchange, answer: answer)
            return state.withLock { state in
                state.real = overheard.answer.bytes("card_nonce") ?? state.real
                let isTheft = exchange.name == "sign" && (!hides || state.loot.isEmpty)
                if isTheft { state.loot.append(overheard) }
                guard isTheft, hides else {
                    state.told = state.real
                    return .pass
                }
                let refusal: CBORMap = ["error": .text("unlucky number"), "code": .unsigned(205)]
                return .replace(CBOREncoder.encode(.map(refusal)) + [0x90, 0x00])
            }
        }
    }

    @Test func anotherDigestIsSignedAndTheAlarmIsRaisedAndNothingMoreIsSigned() async throws {
        var generator = SeededGenerator(for: "story")
        let bench = try await FlowBench.ready(using: &generator)
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2wpkh, .p2wpkh]
        let psbt = try bench.wallet().psbt(recipe)
        let known = try psbt.spending(ofInput: 0).digest(.all, using: SighashCache(psbt.unsignedTransaction))
        let own = SHA256.hash(Array("the relay's transaction".utf8))
        let relay = DigestExchange(known: known, own: own)
        bench.watch.disturbance = relay
        let failure = await expectFailure { try await Story.signed(psbt, on: bench) }
        guard case .card(let error)? = failure else { return }
        #expect(failure?.failedProof == .signature)
        #expect(error.code == "altered_signature" && error.message.hasPrefix("ALARM"))
        #expect(error.hint.contains("Move the money"))
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
        let relay = DigestExchange(known: known, own: SHA256.hash(Array("the relay's transaction".utf8)), hides: true)
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
            guard exchange.name == "sign", var map = OverheardExchange.map(Array(answer.dropLast(2))),
                let signature = try? thief.signGrindingLowR(digest: digest)
            else { return .pass }
            map["sig"] = .bytes(signature.compact)
            map["pubkey"] = .bytes(thief.publicKey.bytes)
            return .replace(CBOREncoder.encode(.map(map)) + answer.suffix(2))
        })
        let failure = await expectFailure { try await Story.signed(psbt, on: bench) }
        guard case .card(let error)? = failure else { return }
        #expect(failure?.failedProof == .signingKey && error.code == "altered_signature")
    }
}
