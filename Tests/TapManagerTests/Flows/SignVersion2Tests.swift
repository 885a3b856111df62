import Bitcoin
import FlowSupport
import TapManager
import TestSupport
import Testing

/// PSBTs of version 2 through the flow, with a card.
@Suite struct SignVersion2Tests {
    @Test(arguments: SampleWallet.Kind.allCases, [nil, 3] as [UInt8?])
    func theVersionStaysAndTheFlagsFollow(_ kind: SampleWallet.Kind, flags: UInt8?) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [kind, kind, kind]
        let psbt = try bench.wallet().psbt(recipe)
        let outcome = try await bench.sign(psbt.converted(to: .v2).withFlags(flags))
        #expect(outcome.added == 3)
        #expect(outcome.psbt.version == .v2)
        #expect(outcome.psbt.modifiableFlags?.rawValue == flags.map { _ in 0 })
        let result = SigningResult(outcome)
        #expect(result.psbt.version == .v2)
        let read = try PSBT(serialized: result.psbt.serialized())
        try await read.expectVerified()
        #expect(read.unsignedTransaction == psbt.unsignedTransaction)
        #expect(try result.transaction == read.extractedTransaction())
    }

    @Test(arguments: [1, 2, 3, 0x81, 0x82, 0x83] as [UInt32])
    func otherHashTypesLeaveWhatTheyDoNotCover(_ raw: UInt32) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2wpkh]
        var psbt = try bench.wallet().psbt(recipe)
        for index in psbt.inputs.indices { psbt[input: index].sighashType = SighashType(rawValue: raw) }
        var policy = SigningPolicy()
        policy.allowsOtherSighashes = true
        let outcome = try await bench.sign(psbt.converted(to: .v2).withFlags(3), policy: policy)
        #expect(outcome.added == 2)
        let expected: [UInt32: UInt8] = [1: 0, 2: 2, 3: 4, 0x81: 1, 0x82: 3, 0x83: 5]
        #expect(outcome.psbt.modifiableFlags?.rawValue == expected[raw])
        // What the flow leaves is taken by the next signer, and by this one again.
        let again = try await bench.sign(outcome.psbt, policy: policy)
        #expect(again.added == 0)
        #expect(again.psbt.serialized() == outcome.psbt.serialized())
    }

    @Test func flagsThatDenySignaturesAreRefused() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2wpkh]
        let psbt = try bench.wallet().psbt(recipe)
        var half = psbt
        // With a store of its own: signatures from this one would be taken in, and set the flags.
        half[input: 0] = try await bench.copy().sign(psbt).psbt.inputs[0]
        let lie = try half.converted(to: .v2).withFlags(1)
        await #expect {
            try await bench.sign(lie)
        } throws: {
            guard case .refused(let findings) = $0 as? FlowError else { return false }
            return findings.map(\.code) == [.modifiableFlagsMismatch]
        }
        #expect(bench.reader.exchangeCounts["sign"] == nil)
    }

    @Test func cardsSignInWhicheverVersionTheyAreGiven() async throws {
        var generator = SeededGenerator()
        let first = try await FlowBench.ready(using: &generator)
        let second = try await FlowBench.ready(using: &generator)
        let multisig = SampleMultisig(.p2wsh, [try first.wallet(), try second.wallet(), try SampleWallet(seed: 3)])
        let psbt = try await multisig.psbt(inputs: 2, on: .shared())
        let one = try await first.sign(psbt.converted(to: .v2).withFlags(3)).psbt
        let other = try await second.sign(psbt).psbt
        var finals: [PSBT] = []
        for whole in [try one.combined(with: other), try other.combined(with: one)] {
            var final = try PSBT(serialized: whole.serialized())
            #expect(try final.finalizeInputs() == [.finalized, .finalized])
            #expect(whole.modifiableFlags?.rawValue == (whole.version == .v2 ? 0 : nil))
            finals.append(final)
        }
        try await PSBT.expectVerified(finals)
    }
}
