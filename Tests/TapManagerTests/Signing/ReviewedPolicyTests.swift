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

    @Test func inputsWithoutAPolicyHaveNone() throws {
        #expect(try bench.plan(try bench.wallet.psbt(SampleWallet.Recipe())).review.policies.isEmpty)
    }
}
