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

    private func signed(_ psbt: PSBT, by holders: [SampleWallet], of policy: SamplePolicy) throws -> PSBT {
        var psbt = psbt
        let account = try DerivationPath(parsing: policy.account)
        let digest = try psbt.spending(ofInput: 0).digest(.all, using: SighashCache(psbt.unsignedTransaction))
        for holder in holders {
            let key = try holder.master.descendant(account.appending(DerivationPath(parsing: "m/0/0"))).privateKey
            psbt.addPartialSignature(
                PartialSignature(key.signGrindingLowR(digest: digest), by: key.publicKey), toInput: 0)
        }
        return psbt
    }

    /// Of a policy's open paths the one counts that lacks the fewest signatures, wherever it stands.
    @Test func theNearestPathCounts() throws {
        let holders = try (1...4).map { try SampleWallet(seed: $0) }
        let policy = SamplePolicy("or_i(multi(2,#A,#B),and_v(v:multi(2,#C,#D),older(10)))", holders)
        let closed = try policy.psbt()
        #expect(SignatureTally(closed).canSign == sorted(holders.prefix(2)))
        let open = try policy.psbt(sequence: 10)
        #expect(SignatureTally(open).canSign == sorted(holders.prefix(2)))
        let half = try SignatureTally(signed(open, by: [holders[2]], of: policy))
        #expect(half.canSign == [holders[3].fingerprint] && (half.present, half.missing) == (1, 1))
        #expect(try SignatureTally(signed(open, by: [holders[2], holders[3]], of: policy)).isComplete)
        #expect(try !SignatureTally(signed(closed, by: [holders[2], holders[3]], of: policy)).isComplete)
    }

    /// Who is on a path that is open, but not the nearest, can help, and is asked if nobody else is there.
    @Test func othersCanHelpToo() throws {
        let holders = try (1...3).map { try SampleWallet(seed: $0) }
        let policy = SamplePolicy("or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(10)))", holders)
        let open = try SignatureTally(policy.psbt(sequence: 10))
        #expect(open.canSign == [holders[2].fingerprint] && open.canHelp == sorted(holders))
        let closed = try SignatureTally(policy.psbt())
        #expect(closed.canSign == sorted(holders.prefix(2)) && closed.canHelp == closed.canSign)
        let stranger = CosignerChoice.Candidate(ident: try StoreSample.ident(9), fingerprint: nil)
        let known = CosignerChoice.Candidate(ident: try StoreSample.ident(1), fingerprint: holders[0].fingerprint)
        let beside = CosignerChoice(open, among: [stranger, stranger, known])
        #expect(!beside.isAmbiguous && beside.chosen == [known.ident])
        func chosen(_ seeds: [Int], of tally: SignatureTally) throws -> [CardIdent] {
            let candidates = try seeds.map {
                CosignerChoice.Candidate(
                    ident: try StoreSample.ident(UInt8($0)), fingerprint: holders[$0 - 1].fingerprint)
            }
            return CosignerChoice(tally, among: candidates).chosen
        }
        for (seeds, expected) in [([1, 2], [1, 2]), ([2, 3], [3]), ([1, 2, 3], [3])] {
            #expect(try chosen(seeds, of: open) == expected.map { try StoreSample.ident(UInt8($0)) })
        }
        #expect(try chosen([3], of: closed) == [])
    }

    /// Where there are too many ways to list each, everybody can sign who is on one, and only whole ways are complete.
    @Test func manyWaysAreAllOpen() throws {
        let holders = try (1...20).map { try SampleWallet(seed: UInt8($0)) }
        let letters = "ABCDEFGHIJKLMNOPQRST".map { String($0) }
        let pairs = (0..<10).map { number in
            let pair = "and_b(pk(#\(letters[2 * number])),s:pk(#\(letters[2 * number + 1])))"
            return number == 0 ? pair : "a:\(pair)"
        }
        let policy = SamplePolicy("thresh(3,\(pairs.joined(separator: ",")))", holders)
        let psbt = try policy.psbt()
        let tally = SignatureTally(psbt)
        #expect(tally.canSign == sorted(holders) && tally.missing == 6 && tally.choiceCount == nil)
        let prints = holders.map(\.fingerprint)
        #expect(
            tally.isCompleted(by: Set(prints[14...]))
                && tally.isCompleted(by: Set(prints[0...1] + prints[8...9] + prints[18...])))
        #expect(!tally.isCompleted(by: Set((0..<10).map { prints[2 * $0] })))
        let review = try #require(DrillBench().manager.review(of: psbt, network: .test).review)
        #expect(review.isAnotherPathOpen && review.policies.first?.paths.map(\.isOpen) == [true])
        // Nor can whoever writes the PSBT hide others by not saying whose keys they are.
        var unnamed = try PSBT(unsignedTransaction: psbt.unsignedTransaction)
        unnamed[input: 0].nonWitnessUTXO = psbt.inputs[0].nonWitnessUTXO
        unnamed[input: 0].witnessUTXO = psbt.inputs[0].witnessUTXO
        unnamed[input: 0].witnessScript = psbt.inputs[0].witnessScript
        for derivation in psbt.inputs[0].derivations.prefix(6) { unnamed[input: 0].addDerivation(derivation) }
        #expect(try #require(DrillBench().manager.review(of: unnamed, network: .test).review).isAnotherPathOpen)
        let some = try SignatureTally(signed(psbt, by: Array(holders[16...]), of: policy))
        #expect((some.present, some.missing) == (4, 2) && !some.isComplete)
        #expect(some.isCompleted(by: Set(prints[0...1])) && !some.isCompleted(by: [prints[0], prints[2]]))
        #expect(some.canSign == sorted(holders[..<16]))
        #expect(try SignatureTally(signed(psbt, by: Array(holders[14...]), of: policy)).isComplete)
    }

    /// What cannot be understood is never complete.
    @Test func unknownScriptsAreNotComplete() throws {
        let bare = try PSBT(unsignedTransaction: StoreSample.psbt().unsignedTransaction)
        let tally = SignatureTally(bare)
        #expect((tally.present, tally.missing, tally.isComplete) == (0, 0, false))
        #expect(tally.canSign.isEmpty && tally.named.isEmpty)
    }
}
