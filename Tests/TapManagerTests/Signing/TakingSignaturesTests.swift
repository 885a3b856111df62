import Bitcoin
import TestSupport
import Testing

@testable import TapManager

/// What earlier runs signed is taken over, and nothing else.
@Suite struct TakingSignaturesTests {
    /// A true signature of a cosigner.
    private func signed(_ psbt: PSBT, input index: Int, by wallet: SampleWallet) throws -> PSBT {
        let derivation = try #require(psbt.inputs[index].derivations.first { $0.fingerprint == wallet.fingerprint })
        let digest = try psbt.spending(ofInput: index).digest(.all, using: SighashCache(psbt.unsignedTransaction))
        let signature = try wallet.master.descendant(derivation.path).privateKey.signGrindingLowR(digest: digest)
        var result = psbt
        result.addPartialSignature(
            PartialSignature(publicKey: derivation.publicKey, signature: signature.der + [1]), toInput: index)
        return result
    }

    @Test func trueSignaturesAreTaken() throws {
        let (psbt, cosigners) = try StoreSample.multisig(inputs: 2)
        let one = try signed(psbt, input: 0, by: cosigners[0])
        let other = try signed(signed(psbt, input: 0, by: cosigners[2]), input: 1, by: cosigners[2])
        let both = one.takingSignatures(of: other)
        #expect(both.inputs.map(\.partialSignatures.count) == [2, 1])
        let digests = SighashCache(both.unsignedTransaction)
        for index in both.inputs.indices { try both.verifyPartialSignatures(ofInput: index, using: digests) }
        #expect(both.takingSignatures(of: other).serialized() == both.serialized())
        #expect(both.hasSignatures(of: one) && both.hasSignatures(of: other) && one.hasSignatures(of: psbt))
        // As many, but others.
        #expect(!one.hasSignatures(of: both) && !one.hasSignatures(of: other) && !other.hasSignatures(of: one))
        var final = both
        #expect(try final.finalize(input: 0) == .finalized)
        #expect(!final.hasSignatures(of: try signed(psbt, input: 1, by: cosigners[0])))
        #expect(final.hasSignatures(of: try signed(psbt, input: 0, by: cosigners[1])))
    }

    /// A false one is left out, and keeps no true one of the same input out.
    @Test func falseSignaturesAreLeftOut() throws {
        let (psbt, cosigners) = try StoreSample.multisig()
        for (liar, honest) in [(0, 1), (1, 0), (2, 0), (0, 2)] {
            let stored = try signed(
                psbt.adding(StoreSample.signature(psbt, input: 0, by: cosigners[liar])), input: 0, by: cosigners[honest]
            )
            let taken = psbt.takingSignatures(of: stored)
            let key = try #require(psbt.inputs[0].derivations.first { $0.fingerprint == cosigners[honest].fingerprint })
            #expect(taken.inputs[0].partialSignatures.map(\.publicKey) == [key.publicKey])
        }
    }

    /// Of the same stored signatures only those by keys that the PSBT calls the signer's, input by input.
    @Test func onlyWhatIsAskedForIsTaken() throws {
        let (psbt, cosigners) = try StoreSample.multisig(inputs: 2)
        var stored = psbt
        for index in 0..<2 {
            for cosigner in [0, 2] { stored = try signed(stored, input: index, by: cosigners[cosigner]) }
        }
        let mine = cosigners[0].fingerprint
        #expect(psbt.takingSignatures(of: stored).inputs.map(\.partialSignatures.count) == [2, 2])
        let taken = psbt.takingSignatures(of: stored, askedOf: mine)
        for (input, given) in zip(taken.inputs, psbt.inputs) {
            let key = try #require(given.derivations.first { $0.fingerprint == mine }).publicKey
            #expect(input.partialSignatures.map(\.publicKey) == [key])
        }
        var silent = psbt
        silent[input: 1] = PSBT.Input()
        silent[input: 1].witnessUTXO = psbt.inputs[1].witnessUTXO
        silent[input: 1].witnessScript = psbt.inputs[1].witnessScript
        for derivation in psbt.inputs[1].derivations where derivation.fingerprint != mine {
            silent[input: 1].addDerivation(derivation)
        }
        #expect(silent.takingSignatures(of: stored).inputs.map(\.partialSignatures.count) == [2, 2])
        #expect(silent.takingSignatures(of: stored, askedOf: mine).inputs.map(\.partialSignatures.count) == [1, 0])
        #expect(psbt.takingSignatures(of: stored, askedOf: .zero).serialized() == psbt.serialized())
    }

    @Test func whatIsThereStays() throws {
        let (psbt, cosigners) = try StoreSample.multisig()
        let mine = psbt.adding(try StoreSample.signature(psbt, input: 0, by: cosigners[0]))
        let stored = try signed(psbt, input: 0, by: cosigners[0])
        #expect(mine.takingSignatures(of: stored).serialized() == mine.serialized())
        var final = psbt
        final[input: 0].finalWitness = [[]]
        #expect(final.takingSignatures(of: stored).serialized() == final.serialized())
    }

    @Test func ofAnotherTransactionNothingIsTaken() throws {
        let (psbt, cosigners) = try StoreSample.multisig()
        let other = try SampleMultisig(.p2wsh, cosigners).psbt(inputs: 2)
        #expect(
            psbt.takingSignatures(of: try signed(other, input: 0, by: cosigners[0])).serialized() == psbt.serialized())
    }
}
