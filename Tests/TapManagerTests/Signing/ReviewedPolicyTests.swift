import Bitcoin
import TestSupport
import Testing

@testable import TapManager

/// What a review says of the spending paths of inputs.
@Suite struct ReviewedPolicyTests {
    private let bench: PlanBench
    private let policy: SamplePolicy

    init() throws {
        bench = try PlanBench()
        policy = SamplePolicy(
            "or_d(multi(2,#A,#B),and_v(v:pkh(#B),older(10)))", [bench.wallet] + [try SampleWallet(seed: 2)])
    }

    private func paths(_ psbt: PSBT) throws -> [ReviewedPolicy.Path] {
        let policies = try bench.plan(psbt).review.policies
        #expect(policies.count == 1 && policies.first?.coins.count == psbt.inputs.count)
        return policies.first?.paths ?? []
    }

    @Test func theOnlyOpenPathIsTaken() throws {
        let paths = try paths(
            try SamplePolicy("or_d(multi(2,#A,#B),and_v(v:pkh(#a),older(10)))", policy.holders).psbt(inputs: 3))
        #expect(paths.map(\.isOpen) == [true, false] && paths.map(\.isTaken) == [true, false])
        let holders = policy.holders.map { SpendingTerms.Key.holder($0.fingerprint) }
        #expect(paths[0].terms.groups == [SpendingTerms.Group(threshold: 2, keys: holders)])
        #expect(paths[1].terms.groups.map(\.keys) == [[holders[0]]] && paths[1].terms.older == [10])
    }

    /// Of several open ones, none is called taken before its signatures are there.
    @Test func whichIsTakenIsSaidWhenItIsSigned() throws {
        let policy = SamplePolicy("or_d(multi(2,#A,#B),and_v(v:pkh(#b),older(10)))", policy.holders)
        var psbt = try policy.psbt(inputs: 1, sequence: 10)
        #expect(try paths(psbt).map(\.isOpen) == [true, true])
        #expect(try paths(psbt).map(\.isTaken) == [false, false])
        let account = try DerivationPath(parsing: policy.account)
        let digest = try psbt.spending(ofInput: 0).digest(.all, using: SighashCache(psbt.unsignedTransaction))
        for holder in policy.holders {
            let key = try holder.master.descendant(account.appending(DerivationPath(parsing: "m/0/0"))).privateKey
            psbt.addPartialSignature(
                PartialSignature(key.signGrindingLowR(digest: digest), by: key.publicKey), toInput: 0)
        }
        #expect(try paths(psbt).map(\.isTaken) == [true, false])
    }

    /// Of several open ones, that of which the transaction has a lock, unless the lock is longer.
    @Test func whichItHasALockOfIsSaid() throws {
        func locks(_ expression: String, sequence: UInt32, lockTime: UInt32 = 0) throws -> [Bool] {
            let policy = SamplePolicy(expression, policy.holders)
            let given = try policy.psbt(sequence: sequence)
            guard lockTime > 0 else { return try paths(given).map(\.hasLock) }
            var transaction = given.unsignedTransaction
            transaction.lockTime = lockTime
            var psbt = try PSBT(unsignedTransaction: transaction)
            psbt[input: 0].nonWitnessUTXO = given.inputs[0].nonWitnessUTXO
            psbt[input: 0].witnessUTXO = given.inputs[0].witnessUTXO
            psbt[input: 0].witnessScript = given.inputs[0].witnessScript
            for derivation in given.inputs[0].derivations { psbt[input: 0].addDerivation(derivation) }
            return try paths(psbt).map(\.hasLock)
        }
        let decaying = "or_d(multi(2,#A,#B),and_v(v:pkh(#b),older(10)))"
        #expect(try locks(decaying, sequence: 10) == [false, true])
        #expect(try locks(decaying, sequence: 11) == [false, false])
        #expect(try locks(decaying, sequence: 9) == [false, false])
        #expect(try locks(decaying, sequence: 0xFFFF_FFFD) == [false, false])
        // 10 units of 512 s are not 10 blocks.
        #expect(try locks(decaying, sequence: 0x40_000A) == [false, false])
        let dated = "or_d(multi(2,#A,#B),and_v(v:pkh(#b),after(100)))"
        #expect(try locks(dated, sequence: 0xFFFF_FFFD, lockTime: 100) == [false, true])
        #expect(try locks(dated, sequence: 0xFFFF_FFFD, lockTime: 101) == [false, false])
        #expect(try locks(dated, sequence: 0xFFFF_FFFF, lockTime: 100) == [false, false])
    }

    /// Of a taproot input, what the PSBT proves is listed, and never which is taken; the card does not sign it.
    @Test func pathsOfTaprootAreListed() throws {
        let keys = policy.holders.map { holder in
            let key = holder.master.neutered
            return "[\(key.fingerprint)]\(Script(Array(key.publicKey.bytes.dropFirst())))"
        }
        let spending = try Descriptor(parsing: "tr(\(keys[0]),and_v(v:pk(\(keys[1])),older(10)))").spending()
        let taproot = try #require(spending.taproot)
        let given = try SamplePolicy("or_d(multi(2,#A,#B),and_v(v:pkh(#b),older(10)))", policy.holders).psbt()
        let funding = try SampleWallet.funding(spending.scriptPubKey, amount: 1_000, salt: 9)
        let unsigned = given.unsignedTransaction
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: unsigned.inputs + [
                    TransactionInput(outpoint: Outpoint(transactionID: funding.id, index: 1), sequence: 0xFFFF_FFFD)
                ], outputs: unsigned.outputs))
        psbt[input: 0].nonWitnessUTXO = given.inputs[0].nonWitnessUTXO
        psbt[input: 0].witnessUTXO = given.inputs[0].witnessUTXO
        psbt[input: 0].witnessScript = given.inputs[0].witnessScript
        for derivation in given.inputs[0].derivations { psbt[input: 0].addDerivation(derivation) }
        psbt[input: 1].nonWitnessUTXO = try PreviousTransaction(funding)
        psbt[input: 1].witnessUTXO = funding.outputs[1]
        psbt[input: 1].taprootInternalKey = taproot.internalKey
        psbt[input: 1].taprootMerkleRoot = taproot.merkleRoot
        for leaf in taproot.leaves { psbt[input: 1].addTaprootLeafScript(leaf) }
        for derivation in taproot.derivations { psbt[input: 1].addTaprootDerivation(derivation) }
        let policies = try bench.plan(psbt).review.policies
        let paths = try #require(policies.last).paths
        #expect(policies.map(\.coins.count) == [1, 1] && paths.map(\.number) == [1, 2])
        #expect(paths.map(\.isOpen) == [true, false] && !paths.contains(where: \.isTaken))
        let holders = policy.holders.map { SpendingTerms.Key.holder($0.fingerprint) }
        #expect(paths.map { $0.terms.groups.map(\.keys) } == [[[holders[0]]], [[holders[1]]]])
        #expect(paths[1].terms.older == [10])
    }

    @Test func inputsWithoutAPolicyHaveNone() throws {
        #expect(try bench.plan(try bench.wallet.psbt(SampleWallet.Recipe())).review.policies.isEmpty)
    }
}
