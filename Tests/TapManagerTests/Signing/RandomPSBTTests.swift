import Bitcoin
import TapManager
import TestSupport
import Testing

/// Random honest PSBTs sign, finalize and verify; each with one random lie is refused or warned about, for that lie.
@Suite struct RandomPSBTTests {
    private let bench: PlanBench

    init() throws { bench = try PlanBench() }

    private func recipe(_ generator: inout SeededGenerator) -> SampleWallet.Recipe {
        var recipe = SampleWallet.Recipe()
        let count = Int.random(in: 1...6, using: &generator)
        recipe.kinds = (0..<count).map { _ in
            SampleWallet.Kind.allCases.randomElement(using: &generator) ?? .p2wpkh
        }
        recipe.inputAmount = Int64.random(in: 100_000...2_000_000_000, using: &generator)
        let total = recipe.inputAmount * Int64(count)
        recipe.fee = Int64.random(in: 2_000...2_080, using: &generator)
        recipe.payment = Int64.random(in: total / 2...(total - recipe.fee - 1_000), using: &generator)
        return recipe
    }

    /// Signs as the card would.
    private func signed(_ plan: SigningPlan) throws -> PSBT {
        var psbt = plan.psbt
        for stage in plan.stages {
            for item in stage.items {
                let key = try bench.wallet.master.descendant(stage.account.appending(item.subpath)).privateKey
                psbt.addPartialSignature(
                    PartialSignature(key.signGrindingLowR(digest: item.digest), by: item.publicKey),
                    toInput: item.inputIndex)
            }
        }
        return psbt
    }

    @Test func honestOnesSignFinalizeAndVerify() async throws {
        var generator = SeededGenerator()
        var complete: [PSBT] = []
        for round in 0..<300 {
            let recipe = recipe(&generator)
            let psbt = try PSBT(serialized: bench.wallet.psbt(recipe).serialized())
            let plan = try bench.plan(psbt)
            #expect(plan.findings.allSatisfy { $0.severity == .notice }, "round \(round): \(plan.findings)")
            #expect(plan.signatureCount == recipe.kinds.count)
            var signed = try signed(plan)
            #expect(try signed.finalizeInputs().allSatisfy { $0 == .finalized })
            complete.append(signed)
            let estimate = Int(plan.review.fee.virtualSize)
            #expect(abs(try signed.extractedTransaction().virtualSize - estimate) <= recipe.kinds.count)
        }
        try await PSBT.expectVerified(complete)
    }

    /// One thing that is not true, and what is said about it.
    private struct Lie: Sendable {
        let codes: [FindingCode]
        let isRefused: Bool
        let bend: @Sendable (inout PSBT, Int, SampleWallet) throws -> Void

        init(
            _ codes: FindingCode..., isRefused: Bool = true,
            bend: @escaping @Sendable (inout PSBT, Int, SampleWallet) throws -> Void
        ) {
            self.codes = codes
            self.isRefused = isRefused
            self.bend = bend
        }
    }

    private static func rebuild(_ psbt: inout PSBT, _ change: (inout Transaction) -> Void) throws {
        var transaction = psbt.unsignedTransaction
        change(&transaction)
        var rebuilt = try PSBT(unsignedTransaction: transaction)
        rebuilt.setInputs(psbt.inputs)
        rebuilt.setOutputs(psbt.outputs)
        psbt = rebuilt
    }

    private static let lies: [Lie] = [
        Lie(.previousTransactionMismatch) { psbt, input, wallet in
            let script = Script.p2wpkh(try wallet.publicKey(DerivationPath()))
            psbt[input: input].nonWitnessUTXO = try PreviousTransaction(
                SampleWallet.funding(script, amount: 1, salt: 99))
        },
        Lie(.previousTransactionMissing, .spentOutputUnknown, .amountNotProven, isRefused: false) { psbt, input, _ in
            psbt[input: input].nonWitnessUTXO = nil
        },
        Lie(.spentOutputsDisagree) { psbt, input, _ in
            var output = psbt.inputs[input].nonWitnessUTXO?.output(at: 1)
            output?.value -= 1
            psbt[input: input].witnessUTXO = output
        },
        Lie(.redeemScriptMismatch) { psbt, input, wallet in
            psbt[input: input].redeemScript = .p2wpkh(try wallet.publicKey(DerivationPath()))
        },
        Lie(.derivationMismatch) { psbt, input, wallet in
            let stranger = try SampleWallet(seed: 2).publicKey(DerivationPath())
            psbt[input: input].addDerivation(
                KeyDerivation(
                    publicKey: stranger.bytes, fingerprint: wallet.fingerprint,
                    path: try wallet.path(.p2wpkh, branch: 0, index: 0)))
        },
        Lie(.keyNotInScript) { psbt, input, wallet in
            psbt[input: input].addDerivation(try wallet.derivation(try wallet.path(.p2pkh, branch: 0, index: 77)))
        },
        Lie(.changeMismatch) { psbt, _, _ in
            try rebuild(&psbt) { $0.outputs[1].scriptPubKey = $0.outputs[0].scriptPubKey }
        },
        Lie(.duplicateInput, .previousTransactionMismatch) { psbt, _, _ in
            var transaction = psbt.unsignedTransaction
            transaction.inputs.append(transaction.inputs[0])
            var doubled = try PSBT(unsignedTransaction: transaction)
            doubled.setInputs(psbt.inputs + [psbt.inputs[0]])
            doubled.setOutputs(psbt.outputs)
            psbt = doubled
        },
        Lie(.outputsExceedInputs, .amountOutOfRange) { psbt, _, _ in
            try rebuild(&psbt) { $0.outputs[0].value += 1_000_000_000_000 }
        },
        Lie(.amountOutOfRange) { psbt, _, _ in try rebuild(&psbt) { $0.outputs[0].value = -1 } },
        Lie(.sighashNotAll) { psbt, input, _ in psbt[input: input].sighashType = SighashType.none },
        Lie(.feeHigh, isRefused: false) { psbt, _, _ in try rebuild(&psbt) { $0.outputs[0].value -= 60_000 } },
        Lie(.feeRateLow, isRefused: false) { psbt, _, _ in try rebuild(&psbt) { $0.outputs[1].value += 1_990 } },
        Lie(.badPartialSignature) { psbt, input, wallet in
            let derivation = try #require(psbt.inputs[input].derivations.first)
            let key = try wallet.master.descendant(derivation.path).privateKey
            psbt.addPartialSignature(
                PartialSignature(
                    publicKey: derivation.publicKey,
                    signature: key.signGrindingLowR(digest: Digest(hashing: [9])).der + [1]),
                toInput: input)
        },
        Lie(.moneyInNullData) { psbt, _, _ in
            try rebuild(&psbt) { $0.outputs[0].scriptPubKey = .nullData([1, 2]) }
        },
        Lie(.changeNotProven, isRefused: false) { psbt, _, wallet in
            let path = try DerivationPath(parsing: "m/84h/1h/9h/1/0")
            let key = try wallet.publicKey(path)
            try rebuild(&psbt) { $0.outputs[1].scriptPubKey = .p2wpkh(key) }
            psbt[output: 1] = PSBT.Output()
            psbt[output: 1].addDerivation(try wallet.derivation(path))
        },
    ]

    /// In version 2 everything is decided as it is in version 0, and signed with the same signatures.
    @Test func honestOnesAreTheSameInVersion2() async throws {
        var generator = SeededGenerator()
        var complete: [PSBT] = []
        for round in 0..<100 {
            let psbt = try bench.wallet.psbt(recipe(&generator))
            let plan = try bench.plan(psbt)
            let plan2 = try bench.plan(PSBT(serialized: psbt.converted(to: .v2).serialized()))
            #expect(plan2.stages == plan.stages, "round \(round)")
            #expect(plan2.findings == plan.findings)
            var signed2 = try signed(plan2)
            #expect(signed2.version == .v2)
            #expect(try signed2.converted(to: .v0).serialized() == signed(plan).serialized())
            #expect(try signed2.finalizeInputs().allSatisfy { $0 == .finalized })
            complete.append(signed2)
        }
        try await PSBT.expectVerified(complete)
    }

    @Test func oneLieIsToldByItsName() throws {
        var generator = SeededGenerator()
        for round in 0..<320 {
            let index = round % Self.lies.count
            let lie = Self.lies[index]
            var psbt = try bench.wallet.psbt(recipe(&generator))
            let input = Int.random(in: psbt.inputs.indices, using: &generator)
            // Only an input in P2SH has a redeem script to lie about.
            if lie.codes == [.redeemScriptMismatch], psbt.inputs[input].redeemScript == nil { continue }
            try lie.bend(&psbt, input, bench.wallet)
            let refusals = try bench.refusals(psbt)
            let codes = refusals.isEmpty ? try bench.warnings(psbt) : refusals
            // A previous transaction that is not the spent one is refused by the parser.
            if let version2 = try? PSBT(serialized: psbt.converted(to: .v2).serialized()) {
                let refusals2 = try bench.refusals(version2)
                #expect(refusals2 == refusals)
                if refusals2.isEmpty { #expect(try bench.warnings(version2) == codes) }
            } else {
                #expect(codes.contains(.previousTransactionMismatch) || codes.contains(.duplicateInput))
            }
            #expect(!lie.isRefused || !refusals.isEmpty, "round \(round), lie \(index)")
            #expect(codes.contains { lie.codes.contains($0) }, "round \(round), lie \(index): \(codes)")
        }
    }
}
