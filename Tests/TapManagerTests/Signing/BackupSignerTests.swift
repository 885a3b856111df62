import Bitcoin
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// A backup signs what its card would sign, refuses what its card would refuse, and nothing else.
@Suite struct BackupSignerTests {
    private func recipe(_ kinds: [SampleWallet.Kind]) -> SampleWallet.Recipe {
        var recipe = SampleWallet.Recipe()
        recipe.kinds = kinds
        return recipe
    }

    private func signer(_ wallet: SampleWallet) throws -> BackupSigner {
        BackupSigner(try Backup.made(of: wallet.master))
    }

    private func sign(
        _ psbt: PSBT, with wallet: SampleWallet, policy: SigningPolicy = SigningPolicy()
    ) throws -> SigningResult {
        let signer = try signer(wallet)
        let (result, interruption) = signer.sign(try signer.prepare(psbt, network: nil, policy: policy))
        #expect(interruption == nil)
        return result
    }

    /// Every input of a finished PSBT verifies.
    private func verify(_ result: SigningResult) async throws {
        #expect(result.transaction != nil)
        try await result.psbt.expectVerified()
    }

    @Test func signsWhatTheCardSigns() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let signer = BackupSigner(try await bench.backup())
        let kinds: [SampleWallet.Kind] = [.p2wpkh, .p2shP2WPKH, .p2wpkh, .p2shP2WPKH]
        let psbt = try bench.wallet().psbt(recipe(kinds))
        let (cards, cardsPlan) = try await bench.run { driver in
            let flow = SignFlow(driver: driver, cvc: try CVC(FlowBench.cvc))
            let preparation = try await flow.prepare(psbt, network: nil, policy: SigningPolicy())
            return (SigningResult(await flow.sign(preparation)), preparation.plan)
        }
        let plan = try signer.prepare(psbt, network: nil, policy: SigningPolicy())
        func items(_ plan: SigningPlan) -> Set<SigningPlan.Item> { Set(plan.stages.flatMap(\.items)) }
        #expect(items(plan) == items(cardsPlan))
        #expect(plan.findings == cardsPlan.findings)
        #expect(String(describing: plan.review) == String(describing: cardsPlan.review))

        let (own, interruption) = signer.sign(plan)
        #expect(interruption == nil)
        #expect(own.added == 4 && cards.added == 4)
        #expect(own.transaction?.id == cards.transaction?.id)
        try await verify(own)
    }

    @Test(arguments: SampleWallet.Kind.allCases, [1, 50])
    func signsEverySingleKeyKind(_ kind: SampleWallet.Kind, count: Int) async throws {
        let wallet = try SampleWallet(seed: 1)
        let psbt = try wallet.psbt(recipe([SampleWallet.Kind](repeating: kind, count: count)))
        let result = try sign(psbt, with: wallet)
        #expect(result.added == count)
        try await verify(result)
        // RFC 6979: no randomness, so nothing to go wrong with it.
        #expect(try sign(psbt, with: wallet).psbt.serialized() == result.psbt.serialized())
    }

    @Test func everySignatureHasLowRAndLowS() throws {
        let wallet = try SampleWallet(seed: 1)
        let multisig = SampleMultisig(.p2wsh, [wallet, try SampleWallet(seed: 2)])
        let result = try sign(try multisig.psbt(inputs: 40), with: wallet)
        #expect(result.added == 40 && result.transaction == nil)
        for input in result.psbt.inputs {
            let signature = try #require(input.partialSignatures.first)
            #expect(signature.signature.count <= 71 && signature.sighashType == .all)
            let parsed = try #require(signature.ecdsaSignature)
            #expect(parsed.hasLowR && parsed.hasLowS)
        }
    }

    @Test(arguments: SampleMultisig.Form.allCases)
    func aCardAndABackupSignAMultisig(_ form: SampleMultisig.Form) async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let lost = try SampleWallet(seed: 5)
        let multisig = SampleMultisig(form, [try card.wallet(), lost, try SampleWallet(seed: 3)])
        let psbt = try multisig.psbt(inputs: 2)

        let half = try await card.sign(psbt)
        #expect(half.added == 2)
        let whole = try sign(half.psbt, with: lost)
        #expect(whole.added == 2)
        try await verify(whole)

        let first = try sign(psbt, with: lost)
        #expect(first.added == 2 && first.transaction == nil)
        let second = SigningResult(try await card.sign(first.psbt))
        try await verify(second)
    }

    @Test func refusesWhatTheCardRefuses() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let signer = BackupSigner(try await bench.backup())
        let wallet = try bench.wallet()
        let honest = try wallet.psbt(recipe([.p2wpkh, .p2pkh]))
        var bent = [honest, honest, honest, honest, try SampleWallet(seed: 9).psbt()]
        bent[0][input: 0].witnessUTXO?.value += 1
        bent[1][input: 0].addDerivation(try wallet.derivation(try wallet.path(.p2wpkh, branch: 0, index: 5)))
        bent[2][input: 0].sighashType = SighashType(rawValue: 3)
        let stranger = try SampleWallet(seed: 2).publicKey(DerivationPath())
        bent[3][output: 1].addDerivation(
            KeyDerivation(
                publicKey: stranger.bytes, fingerprint: wallet.fingerprint,
                path: try wallet.path(.p2wpkh, branch: 1, index: 0)))
        for (index, psbt) in bent.enumerated() {
            var refusal: FlowError?
            do { _ = try await bench.sign(psbt) } catch let error as FlowError { refusal = error }
            let expected = try #require(refusal, "the card signs lie \(index)")
            #expect(throws: expected, "lie \(index)") {
                try signer.prepare(psbt, network: nil, policy: SigningPolicy())
            }
        }
        #expect { try signer.prepare(honest, network: .main, policy: SigningPolicy()) } throws: { error in
            guard case FlowError.refused(let findings) = error else { return false }
            return findings.map(\.code) == [.networkMismatch]
        }
        var strict = SigningPolicy()
        strict.requiresProvenAmounts = true
        var unproven = recipe([.p2wpkh])
        unproven.hasPreviousTransactions = false
        let psbt = try wallet.psbt(unproven)
        #expect(throws: FlowError.self) { try signer.prepare(psbt, network: nil, policy: strict) }
        #expect(try signer.prepare(psbt, network: .signet, policy: SigningPolicy()).review.network == .signet)
    }

    @Test(arguments: [2, 3, 0x81, 0x82, 0x83] as [UInt32])
    func signsOtherHashTypesWhenAllowed(_ raw: UInt32) async throws {
        let wallet = try SampleWallet(seed: 1)
        var psbt = try wallet.psbt()
        psbt[input: 0].sighashType = SighashType(rawValue: raw)
        var policy = SigningPolicy()
        policy.allowsOtherSighashes = true
        try await verify(try sign(psbt, with: wallet, policy: policy))
    }

    @Test func signsTheRestOfASignedPSBTAndNothingOfAFinishedOne() async throws {
        let wallet = try SampleWallet(seed: 1)
        let psbt = try wallet.psbt(recipe([.p2wpkh, .p2wpkh, .p2wpkh]))
        let whole = try sign(psbt, with: wallet)
        var partly = psbt
        partly[input: 1] = whole.psbt.inputs[1]
        let rest = try sign(partly, with: wallet)
        #expect(rest.added == 2)
        try await verify(rest)
        #expect(try sign(whole.psbt, with: wallet).added == 0)
    }

    /// A plan of other keys is not carried out, whoever made it.
    @Test func aPlanForAnotherKeyIsNotSigned() throws {
        let wallet = try SampleWallet(seed: 1)
        let plan = try signer(wallet).prepare(wallet.psbt(), network: nil, policy: SigningPolicy())
        let (result, interruption) = try signer(SampleWallet(seed: 2)).sign(plan)
        #expect(result.added == 0 && result.transaction == nil)
        #expect(interruption == .unexpected("WrongSignature"))
        #expect(result.psbt.inputs.allSatisfy { $0.partialSignatures.isEmpty })
    }

    @Test func anInterruptionEndsIt() async throws {
        let wallet = try SampleWallet(seed: 1)
        let signer = try signer(wallet)
        let plan = try signer.prepare(wallet.psbt(), network: nil, policy: SigningPolicy())
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            let (result, interruption) = signer.sign(plan)
            return (result.added, interruption)
        }
        task.cancel()
        let (added, interruption) = await task.value
        #expect(added == 0 && interruption == .interrupted)
    }

    @Test func descriptionsShowNoKey() throws {
        let wallet = try SampleWallet(seed: 1)
        let signer = try signer(wallet)
        var text = "\(signer) \(String(reflecting: signer))"
        dump(signer, to: &text)
        #expect(!text.contains(wallet.master.text) && !text.contains("prv"))
        #expect(signer.fingerprint == wallet.fingerprint)
    }
}
