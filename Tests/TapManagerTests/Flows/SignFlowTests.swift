import Bitcoin
import FlowSupport
import SmartCard
import Synchronization
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@Suite struct SignFlowTests {
    private func recipe(_ kinds: [SampleWallet.Kind]) -> SampleWallet.Recipe {
        var recipe = SampleWallet.Recipe()
        recipe.kinds = kinds
        return recipe
    }

    /// Finalizes, extracts, and verifies every input of a finished PSBT.
    private func verify(_ outcome: SignFlow.Outcome) async throws {
        let result = SigningResult(outcome)
        #expect(result.transaction != nil)
        try await result.psbt.expectVerified()
    }

    @Test(arguments: SampleWallet.Kind.allCases, [1, 50])
    func signsEverySingleKeyKind(_ kind: SampleWallet.Kind, count: Int) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let psbt = try bench.wallet().psbt(recipe([SampleWallet.Kind](repeating: kind, count: count)))
        let outcome = try await bench.sign(psbt)
        #expect(outcome.added == count)
        #expect(outcome.interruption == nil)
        #expect(outcome.strandedPath == nil)
        #expect(bench.record.path?.description == "m/84h/1h/0h")
        try await verify(outcome)
    }

    @Test func inputsAtThePresentPathCostFiveExchangesBeyondTheSignatures() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator) { $0.unluckyPercent = 12 }
        let psbt = try bench.wallet().psbt(recipe([SampleWallet.Kind](repeating: .p2wpkh, count: 50)))
        let outcome = try await bench.sign(psbt)
        #expect(outcome.added == 50)
        let signs = try #require(bench.reader.exchangeCounts["sign"])
        #expect(signs >= 50)
        #expect(bench.exchangeCount <= signs + 5)
    }

    @Test func changesThePathAsRarelyAsPossible() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let psbt = try bench.wallet().psbt(recipe([.p2pkh, .p2wpkh, .p2shP2WPKH, .p2pkh, .p2wpkh]))
        let outcome = try await bench.sign(psbt)
        #expect(outcome.added == 5)
        try await verify(outcome)
        // Its own account, both others, then the first of them again and back.
        #expect(bench.reader.exchangeCounts["derive"] == 5)
        #expect(bench.record.path?.description == "m/84h/1h/0h")
    }

    @Test func aRefusalOrADeclineLeavesThePathAsItWas() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        try await bench.proveUsualAccounts()
        var psbt = try bench.wallet().psbt(recipe([.p2pkh, .p2wpkh]))
        try await bench.run { driver in
            let flow = SignFlow(driver: driver, cvc: try CVC(FlowBench.cvc))
            let preparation = try await flow.prepare(psbt, network: nil, policy: SigningPolicy())
            #expect(bench.record.path?.description == "m/44h/1h/0h")
            await flow.abandon(preparation)
        }
        #expect(bench.record.path?.description == "m/84h/1h/0h")
        psbt[input: 1].witnessUTXO?.value += 1
        let lie = psbt
        await #expect(throws: FlowError.self) { try await bench.sign(lie) }
        #expect(bench.record.path?.description == "m/84h/1h/0h")
        #expect(bench.reader.exchangeCounts["sign"] == nil)
    }

    @Test func aPSBTOfOthersIsNoneToSign() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let other = try SampleWallet(seed: 9)
        let psbt = try other.psbt()
        do {
            _ = try await bench.sign(psbt)
            Issue.record("signed")
        } catch FlowError.nothingToSign(let card, let named, _) {
            #expect(card == (try bench.wallet().fingerprint))
            #expect(named == [other.fingerprint])
        }
    }

    @Test func signsTheRestOfASignedPSBTAndNothingOfAFinishedOne() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let psbt = try bench.wallet().psbt(recipe([.p2wpkh, .p2wpkh, .p2wpkh]))
        let whole = try await bench.sign(psbt)
        var partly = psbt
        partly[input: 1] = whole.psbt.inputs[1]
        let stored = try await bench.sign(partly)
        #expect(stored.added == 0)
        try await verify(stored)
        #expect(bench.store.deleteTransaction(psbt.unsignedTransaction.id))
        let rest = try await bench.sign(partly)
        #expect(rest.added == 2)
        try await verify(rest)
        for finished in [whole.psbt, SigningResult(whole).psbt] {
            bench.reader.resetCounts()
            let again = try await bench.sign(finished)
            #expect(again.added == 0)
            #expect(again.interruption == nil)
            #expect(bench.reader.exchangeCounts["sign"] == nil)
            try await verify(again)
        }
    }

    @Test(arguments: [2, 3, 0x81, 0x82, 0x83] as [UInt32])
    func signsOtherHashTypesWhenAllowed(_ raw: UInt32) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        var psbt = try bench.wallet().psbt()
        psbt[input: 0].sighashType = SighashType(rawValue: raw)
        let bent = psbt
        await #expect(throws: FlowError.self) { try await bench.sign(bent) }
        var policy = SigningPolicy()
        policy.allowsOtherSighashes = true
        let outcome = try await bench.sign(bent, policy: policy)
        #expect(outcome.psbt.inputs[0].partialSignatures.first?.signature.last == UInt8(raw))
        try await verify(outcome)
    }

    @Test(arguments: SampleMultisig.Form.allCases)
    func twoCardsSignAMultisigOneAfterTheOther(_ form: SampleMultisig.Form) async throws {
        var generator = SeededGenerator()
        let first = try await FlowBench.ready(using: &generator)
        let second = try await FlowBench.ready(using: &generator)
        let multisig = SampleMultisig(form, [try first.wallet(), try second.wallet(), try SampleWallet(seed: 3)])
        let half = try await first.sign(try multisig.psbt(inputs: 2))
        #expect(half.added == 2)
        #expect(SigningResult(half).transaction == nil)
        #expect(first.record.path?.description == "m/84h/1h/0h")
        let whole = try await second.sign(half.psbt)
        #expect(whole.added == 2)
        try await verify(whole)
    }

    @Test func cancellationKeepsWhatIsSigned() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let psbt = try bench.wallet().psbt(recipe([.p2wpkh, .p2pkh, .p2pkh, .p2pkh]))
        let task = Task {
            try await bench.sign(psbt) {
                if case .signed(done: 2, total: 4) = $0 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        let outcome = try await task.value
        #expect(outcome.added == 2)
        #expect(outcome.interruption == .interrupted)
        #expect(outcome.strandedPath == nil)
        #expect(bench.record.path?.description == "m/84h/1h/0h")
        let rest = try await bench.sign(outcome.psbt)
        #expect(rest.added == 2)
        try await verify(rest)
    }

    /// The CVC was changed elsewhere after the review: the card is away, and is not moved back with what it has refused.
    @Test func aRefusedCVCIsNotSentAgainToMoveTheCardBack() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let psbt = try bench.wallet().psbt(recipe([.p2pkh, .p2wpkh]))
        let outcome = try await bench.run { driver in
            let flow = SignFlow(driver: driver, cvc: try CVC(FlowBench.cvc))
            let preparation = try await flow.prepare(psbt, network: nil, policy: SigningPolicy())
            #expect(bench.record.path?.description == "m/44h/1h/0h")
            try await OtherProgram.sharing.use(bench) { other in
                try await ChangeCVCFlow(driver: other, from: CVC(FlowBench.cvc), to: CVC("87654321")).change()
            }
            return await flow.sign(preparation)
        }
        #expect(outcome.interruption?.isWrongCVC == true && bench.watch.wrongCVCs == 1)
        #expect(bench.store.flows(of: bench.ident).map(\.state.kind) == [.sign])
        #expect(outcome.strandedPath?.description == "m/44h/1h/0h")
    }

    @Test func anotherCardInMidRunIsRefused() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let other = try await FlowBench.ready(using: &generator)
        let psbt = try bench.wallet().psbt(recipe([.p2wpkh, .p2wpkh, .p2wpkh]))
        for isNoticed in [true, false] {
            let bench = try bench.copy()
            bench.watch.disturbance = FunctionInterceptor(onCommand: { exchange in
                guard exchange.number == 7 else { return .pass }
                return isNoticed ? .swap(other.simulated) : .swapUnnoticed(other.simulated)
            })
            let outcome = try await bench.sign(psbt, patience: .limited(.milliseconds(300)))
            #expect(outcome.added == 1)
            #expect(
                outcome.interruption == .card(.anotherCard(expected: bench.ident, found: other.ident)))
            #expect(outcome.psbt.inputs.count { !$0.partialSignatures.isEmpty } == 1)
        }
    }
}

extension FlowBench {
    /// Prepares and signs, as a program does from its start to its end.
    func sign(
        _ psbt: PSBT, policy: SigningPolicy = SigningPolicy(), patience: Patience? = nil,
        events: @escaping FlowEvents = { _ in }
    ) async throws -> SignFlow.Outcome {
        try await run(patience: patience, events: events) { driver in
            let flow = SignFlow(driver: driver, cvc: try CVC(Self.cvc))
            return await flow.sign(try await flow.prepare(psbt, network: nil, policy: policy))
        }
    }
}
