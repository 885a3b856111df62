import Bitcoin
import TestSupport
import Testing

@testable import TapManager

@Suite struct SigningPlannerTests {
    /// A script that consensus never runs names nobody.
    @Test func keyInAScriptThatIsTooLongToRun() throws {
        let bench = try PlanBench()
        let path = try bench.wallet.path(.p2wpkh, branch: 0, index: 0)
        let push = [33] + (try bench.wallet.publicKey(path)).bytes
        for (padding, isNamed) in [(9_966, true), (9_967, false)] {
            let script = Script(push + [UInt8](repeating: 0x61, count: padding))
            let spending = try SpendingScript(scriptPubKey: .p2wsh(script), witnessScript: script)
            #expect(spending.names(publicKey: Array(push.dropFirst())) == isNamed)
        }
    }

    @Test(arguments: SampleWallet.Kind.allCases)
    func plansEverySingleKeyKind(_ kind: SampleWallet.Kind) throws {
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [kind, kind]
        let bench = try PlanBench()
        let plan = try bench.plan(try bench.wallet.psbt(recipe))
        #expect(plan.signatureCount == 2)
        #expect(plan.stages.map(\.account) == [try bench.wallet.accountPath(kind)])
        #expect(plan.findings.filter { $0.severity > .notice }.isEmpty)
        #expect(plan.review.fee.fee.satoshis == 1_000)
        #expect(plan.review.fee.sent.satoshis == 50_000)
        #expect(plan.review.outputs.map(\.isProvenChange) == [false, true])
    }

    @Test func visitsThePresentAccountFirstAndEachAccountOnce() throws {
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2pkh, .p2wpkh, .p2shP2WPKH, .p2wpkh, .p2pkh]
        let bench = try PlanBench()
        let plan = try bench.plan(try bench.wallet.psbt(recipe))
        let expected = try [SampleWallet.Kind.p2wpkh, .p2pkh, .p2shP2WPKH].map(bench.wallet.accountPath)
        #expect(plan.stages.map(\.account) == expected)
        #expect(plan.stages.map { $0.items.map(\.inputIndex) } == [[1, 3], [0, 4], [2]])
    }

    @Test func leavesOutWhatIsSigned() throws {
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2wpkh]
        let bench = try PlanBench()
        var psbt = try bench.wallet.psbt(recipe)
        let item = try #require(try bench.plan(psbt).stages.first?.items.first)
        let key = try bench.wallet.master.descendant(try bench.wallet.path(.p2wpkh, branch: 0, index: 0)).privateKey
        psbt.addPartialSignature(
            PartialSignature(key.signGrindingLowR(digest: item.digest), by: item.publicKey), toInput: 0)
        let plan = try bench.plan(psbt)
        #expect(plan.signatureCount == 1)
        #expect(plan.presentCount == 1)
        #expect(plan.stages.first?.items.map(\.inputIndex) == [1])
    }

    @Test func finalizesToAValidTransaction() async throws {
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2pkh, .p2wpkh, .p2shP2WPKH]
        let bench = try PlanBench()
        var psbt = try await bench.wallet.psbt(recipe, on: .shared())
        let plan = try bench.plan(psbt)
        for stage in plan.stages {
            for item in stage.items {
                let path = stage.account.appending(item.subpath)
                let key = try bench.wallet.master.descendant(path).privateKey
                let signature = key.signGrindingLowR(digest: item.digest)
                psbt.addPartialSignature(PartialSignature(signature, by: item.publicKey), toInput: item.inputIndex)
            }
        }
        try psbt.finalizeInputs()
        try await psbt.expectVerified()
        let transaction = try psbt.extractedTransaction()
        let estimate = Int(plan.review.fee.virtualSize)
        #expect(transaction.inputs.count == 3)
        #expect(abs(transaction.virtualSize - estimate) <= 2)
    }

    @Test func asksForNoMoreAccountsThanTheBound() throws {
        let bench = try PlanBench()
        var psbt = try bench.wallet.psbt()
        for index in 0...SigningPlanner.maximumAccounts {
            psbt[input: 0].addDerivation(try bench.wallet.derivation(DerivationPath(parsing: "m/84h/1h/\(index)h/0/0")))
        }
        #expect(try bench.refusals(psbt) == [.tooManyAccounts])
    }
}
