import Bitcoin
import TapManager
import TestSupport
import Testing

/// Lies about inputs that are not ours, or that no card can sign.
@Suite struct InputLiesTests {
    private let bench: PlanBench

    init() throws { bench = try PlanBench() }

    @Test func fingerprintThatIsOursByCollisionOnly() throws {
        var psbt = try SampleWallet(seed: 9).psbt()
        let derivation = try #require(psbt.inputs[0].derivations.first)
        psbt[input: 0].addDerivation(
            KeyDerivation(
                publicKey: derivation.publicKey, fingerprint: bench.wallet.fingerprint, path: derivation.path))
        #expect(try bench.refusals(psbt) == [.derivationMismatch])
    }

    @Test func inputsOfOthersWithoutTheirScriptsAreNoLegacyInputs() throws {
        var foreign = SampleMultisig(.p2wsh, try [2, 3, 4].map { try SampleWallet(seed: $0) })
        foreign.hasExtendedKeys = false
        var psbt = try bench.wallet.psbt().joined(try foreign.psbt())
        psbt[input: 1].nonWitnessUTXO = nil
        psbt[input: 1].witnessScript = nil
        let plan = try bench.plan(psbt)
        #expect(plan.findings.contains { $0.code == .amountNotProven && $0.severity == .warning })
        #expect(plan.signatureCount == 1)
    }

    @Test func aWitnessScriptThatDoesNotFitIsRefusedOnOthersInputsToo() throws {
        let foreign = SampleMultisig(.p2wsh, try [2, 3, 4].map { try SampleWallet(seed: $0) })
        var psbt = try bench.wallet.psbt().joined(try foreign.psbt())
        psbt[input: 1].witnessScript = Script([0x51])
        #expect(try bench.refusals(psbt) == [.witnessScriptMismatch])
    }

    /// True keys of ours that do not stand in the script: only so many of them are looked at.
    @Test func moreKeysThanAreLookedAt() throws {
        var psbt = try bench.wallet.psbt()
        for index in 10..<UInt32(40) {
            let path = try bench.wallet.path(.p2wpkh, branch: 0, index: index)
            psbt[input: 0].addDerivation(try bench.wallet.derivation(path))
        }
        let refusals = try bench.refusals(psbt)
        #expect(refusals.count { $0 == .keyNotInScript } == 16)
        #expect(refusals.count { $0 == .derivationMismatch } == 1)
    }

    @Test func taprootInputOfOursIsLeftUnsigned() throws {
        let wallet = bench.wallet
        let path = try wallet.path(.p2wpkh, branch: 0, index: 7)
        let key = try wallet.publicKey(path)
        let coin = try SampleWallet.funding(Script([0x51, 0x20] + key.bytes.dropFirst()), amount: 100_000, salt: 77)
        var other = try PSBT(
            unsignedTransaction: Transaction(
                inputs: [TransactionInput(outpoint: Outpoint(transactionID: coin.id, index: 1))],
                outputs: [
                    TransactionOutput(value: 99_000, scriptPubKey: .p2wpkh(try SampleWallet(seed: 4).publicKey(path)))
                ]))
        other[input: 0].witnessUTXO = coin.outputs[1]
        other[input: 0].nonWitnessUTXO = try PreviousTransaction(coin)
        other[input: 0].addDerivation(try wallet.derivation(path))
        let psbt = try wallet.psbt().joined(other)
        let plan = try bench.plan(psbt)
        // The taproot script names an x-only key, in which an ECDSA derivation does not stand.
        #expect(plan.findings.contains { $0.code == .taprootInput && $0.severity == .warning })
        #expect(plan.signatureCount == 1)
    }

    @Test func singleWithoutItsOutputIsRefusedEvenWhenAllowed() throws {
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2wpkh, .p2wpkh]
        var psbt = try bench.wallet.psbt(recipe)
        psbt[input: 2].sighashType = .single
        var lenient = bench
        lenient.policy.allowsOtherSighashes = true
        #expect(try lenient.refusals(psbt) == [.sighashNotAll])
    }
}
