import Bitcoin
import TestSupport
import Testing

@testable import TapManager

@Suite struct SignatureTallyTests {
    private func sorted(_ wallets: some Sequence<SampleWallet>) -> [Fingerprint] {
        wallets.map(\.fingerprint).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    @Test func multisigIsCountedToItsThreshold() throws {
        var (psbt, cosigners) = try StoreSample.multisig(inputs: 2)
        var tally = SignatureTally(psbt)
        #expect(tally.signedBy.isEmpty && tally.canSign == sorted(cosigners) && tally.named == sorted(cosigners))
        #expect((tally.present, tally.missing, tally.threshold, tally.isComplete) == (0, 4, 2, false))
        #expect(!tally.isCompleted(by: [cosigners[0].fingerprint]))
        #expect(tally.isCompleted(by: [cosigners[0].fingerprint, cosigners[2].fingerprint]))

        psbt = psbt.adding(try StoreSample.signature(psbt, input: 0, by: cosigners[1]))
        tally = SignatureTally(psbt)
        #expect(tally.signedBy == [cosigners[1].fingerprint])
        // In the other input its signature is missing still.
        #expect(tally.canSign == sorted(cosigners))
        #expect((tally.present, tally.missing, tally.isComplete) == (1, 3, false))
        #expect(!tally.isCompleted(by: [cosigners[0].fingerprint]))

        psbt = psbt.adding(try StoreSample.signature(psbt, input: 1, by: cosigners[1]))
        tally = SignatureTally(psbt)
        #expect(tally.canSign == sorted([cosigners[0], cosigners[2]]))
        #expect((tally.present, tally.missing) == (2, 2))
        #expect(tally.isCompleted(by: [cosigners[0].fingerprint]))

        // A third signature is one too many, and counts for nothing.
        for (index, signer) in [(0, 0), (1, 0), (0, 2)] {
            psbt = psbt.adding(try StoreSample.signature(psbt, input: index, by: cosigners[signer]))
        }
        tally = SignatureTally(psbt)
        #expect(tally.signedBy == sorted(cosigners) && tally.canSign.isEmpty && tally.named == sorted(cosigners))
        #expect((tally.present, tally.missing, tally.isComplete) == (4, 0, true))
    }

    @Test func finalInputsNeedNothing() throws {
        let signer = try SampleWallet(seed: 1)
        var psbt = try StoreSample.psbt(inputs: 2)
        psbt[input: 0].finalWitness = [[1], [2]]
        let tally = SignatureTally(psbt)
        #expect((tally.present, tally.missing, tally.threshold, tally.isComplete) == (1, 1, 1, false))
        #expect(tally.canSign == [signer.fingerprint] && tally.named == [signer.fingerprint])
        psbt[input: 1].finalWitness = [[1], [2]]
        #expect(SignatureTally(psbt).isComplete)
    }

    /// What cannot be understood is never complete.
    @Test func unknownScriptsAreNotComplete() throws {
        let bare = try PSBT(unsignedTransaction: StoreSample.psbt().unsignedTransaction)
        let tally = SignatureTally(bare)
        #expect((tally.present, tally.missing, tally.isComplete) == (0, 0, false))
        #expect(tally.canSign.isEmpty && tally.named.isEmpty)
    }
}
