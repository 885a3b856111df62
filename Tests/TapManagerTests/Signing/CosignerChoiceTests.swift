import Bitcoin
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// Which of several cards are asked. Cards are numbered; cosigner N's wallet is that of seed N.
@Suite struct CosignerChoiceTests {
    private static func fingerprint(_ seed: UInt8) throws -> Fingerprint { try SampleWallet(seed: seed).fingerprint }

    /// Cards with the fingerprints of these seeds; `nil`: unknown.
    private static func candidates(_ seeds: [UInt8?]) throws -> [CosignerChoice.Candidate] {
        try seeds.enumerated().map { number, seed in
            CosignerChoice.Candidate(
                ident: try StoreSample.ident(UInt8(number + 1)), fingerprint: try seed.map(Self.fingerprint))
        }
    }

    private static func multisig(signedBy signers: [Int] = [], inputs: Int = 1) throws -> SignatureTally {
        var (psbt, cosigners) = try StoreSample.multisig(inputs: inputs)
        for index in 0..<inputs {
            for signer in signers {
                psbt = psbt.adding(try StoreSample.signature(psbt, input: index, by: cosigners[signer]))
            }
        }
        return SignatureTally(psbt)
    }

    /// Two of three must sign, whichever; then one of the other two.
    @Test func howManyOfThoseWhoCanMustSign() throws {
        for inputs in 1...2 {
            #expect(try Self.multisig(inputs: inputs).choiceCount == 2)
            #expect(try Self.multisig(signedBy: [0], inputs: inputs).choiceCount == 1)
            #expect(try Self.multisig(signedBy: [0, 1], inputs: inputs).choiceCount == nil)
        }
        // Who signed differs between the inputs.
        let (psbt, cosigners) = try StoreSample.multisig(inputs: 2)
        let half = psbt.adding(try StoreSample.signature(psbt, input: 0, by: cosigners[0]))
        #expect(SignatureTally(half).choiceCount == nil)
    }

    struct Row: Sendable {
        let signedBy: [Int]
        let cards: [UInt8?]
        /// Numbers of the chosen cards, from 1.
        let chosen: [UInt8]
        var isAmbiguous = false
    }

    /// The cosigners are 1, 2 and 3; any two sign. Cosigner numbers in `signedBy` count from 0.
    @Test(arguments: [
        Row(signedBy: [], cards: [1, 2], chosen: [1, 2]),
        Row(signedBy: [], cards: [2, 9, 1], chosen: [1, 3]),
        Row(signedBy: [], cards: [1, nil], chosen: [1, 2]),
        Row(signedBy: [], cards: [nil, 1], chosen: [2, 1]),
        Row(signedBy: [], cards: [1, 2, nil], chosen: [1, 2]),
        Row(signedBy: [], cards: [nil, nil], chosen: [1, 2]),
        Row(signedBy: [], cards: [nil, nil, nil], chosen: [1, 2, 3]),
        Row(signedBy: [], cards: [nil, nil, nil, nil], chosen: [], isAmbiguous: true),
        Row(signedBy: [], cards: [1, nil, nil, nil], chosen: [1]),
        Row(signedBy: [0], cards: [1, 2], chosen: [2]),
        Row(signedBy: [0], cards: [1, nil], chosen: [2]),
        Row(signedBy: [0], cards: [1, 9], chosen: []),
        Row(signedBy: [0], cards: [8, 9], chosen: []),
        Row(signedBy: [0, 1], cards: [9, 2, 1], chosen: [2]),
        Row(signedBy: [0, 1], cards: [9, nil], chosen: [2]),
        Row(signedBy: [0, 1], cards: [8, 9], chosen: []),
    ])
    func multisig(_ row: Row) throws {
        let choice = CosignerChoice(try Self.multisig(signedBy: row.signedBy), among: try Self.candidates(row.cards))
        #expect(choice.isAmbiguous == row.isAmbiguous)
        #expect(choice.chosen == (try row.chosen.map(StoreSample.ident)))
    }

    /// One key signs all: of several unknown cards nobody can tell which.
    @Test(arguments: [
        Row(signedBy: [], cards: [nil, nil], chosen: [], isAmbiguous: true),
        Row(signedBy: [], cards: [nil, 9], chosen: [1]),
        Row(signedBy: [], cards: [1, nil], chosen: [1]),
        Row(signedBy: [], cards: [8, 9], chosen: []),
        Row(signedBy: [], cards: [9, 1], chosen: [2]),
    ])
    func singleKey(_ row: Row) throws {
        let tally = SignatureTally(try StoreSample.psbt(inputs: 3))
        let choice = CosignerChoice(tally, among: try Self.candidates(row.cards))
        #expect(choice.isAmbiguous == row.isAmbiguous)
        #expect(choice.chosen == (try row.chosen.map(StoreSample.ident)))
    }

    /// Coins of two people in one transaction: one of them is not enough, though each input needs one key only.
    @Test func jointTransactionsNeedEveryOwner() throws {
        let (mine, yours) = (try SampleWallet(seed: 1).psbt(), try SampleWallet(seed: 2).psbt())
        var joint = try PSBT(
            unsignedTransaction: Transaction(
                inputs: mine.unsignedTransaction.inputs + yours.unsignedTransaction.inputs,
                outputs: mine.unsignedTransaction.outputs))
        joint.setInputs(mine.inputs + yours.inputs)
        let tally = SignatureTally(joint)
        #expect(
            CosignerChoice(tally, among: try Self.candidates([1, nil])).chosen == (try [1, 2].map(StoreSample.ident)))
        #expect(
            CosignerChoice(tally, among: try Self.candidates([1, 2, nil])).chosen
                == (try [1, 2].map(StoreSample.ident)))
    }
}
