import Bitcoin
import TestSupport
import Testing

@Suite struct SatisfactionWeightTests {
    /// The weight of every form that is finalized, signed with low R and S, against what was estimated.
    @Test(arguments: SpendingForm.allCases)
    func theEstimateIsWhatSigningAdds(_ form: SpendingForm) async throws {
        var psbt = try SpendingForm.unsignedPSBT([form])
        let scripts = try form.scripts()
        let keys = try form.keys()
        let unsigned = psbt.unsignedTransaction.weight
        let spending = SpendingInformation(
            scriptPubKey: scripts.output, redeemScript: scripts.redeem, witnessScript: scripts.witness,
            publicKeyLength: form.encoding(keys[0]).count)
        let cache = SighashCache(psbt.unsignedTransaction)
        let digest = try psbt.spending(ofInput: 0).digest(.all, using: cache)
        var missing = 0
        for key in keys.prefix(form.isMultisig ? 2 : 1) {
            let signature = key.signGrindingLowR(digest: digest).der + [1]
            // One in 256 signatures or so is a byte shorter, which no estimate can know.
            missing += 71 - signature.count
            psbt.addPartialSignature(PartialSignature(publicKey: form.encoding(key), signature: signature), toInput: 0)
        }
        #expect(try psbt.finalize(input: 0) == .finalized)
        try await psbt.expectVerified("\(form)")
        let added = try psbt.extractedTransaction().weight - unsigned
        let marker = form.isLegacy ? 0 : 2
        #expect(
            try #require(spending.satisfactionWeight) == added - marker + missing * (form.isLegacy ? 4 : 1))
        #expect(missing <= 2)
        #expect(spending.hasWitness == !form.isLegacy)
    }

    /// A scriptSig of 253 bytes and more needs two more bytes for its length.
    @Test func longScriptSigsCountTheirLength() throws {
        let keys = try (1...15).map { number in
            try PrivateKey(SecretBytes([UInt8](repeating: 0, count: 31) + [UInt8(number)])).publicKey
        }
        for (threshold, count) in [(1, 1), (1, 3), (2, 3), (2, 4), (3, 5), (8, 15), (15, 15)] {
            let script = try MultisigScript(threshold: threshold, sorting: Array(keys.prefix(count))).script
            let scriptSig = Script(
                pushing: [[]] + [[UInt8]](repeating: [UInt8](repeating: 0x30, count: 71), count: threshold)
                    + [script.bytes])
            let outpoint = Outpoint(
                transactionID: try #require(TransactionID([UInt8](repeating: 1, count: 32))), index: 0)
            let unsigned = Transaction(inputs: [TransactionInput(outpoint: outpoint)], outputs: [])
            let signed = Transaction(
                inputs: [TransactionInput(outpoint: outpoint, scriptSig: scriptSig)], outputs: [])
            let spending = SpendingInformation(scriptPubKey: .p2sh(script), redeemScript: script)
            #expect(spending.satisfactionWeight == signed.weight - unsigned.weight, "\(threshold) of \(count)")
        }
    }

    @Test func whatCannotBeKnownIsNotGuessed() throws {
        let script = Script([0x51])
        #expect(SpendingInformation(scriptPubKey: .p2sh(script)).satisfactionWeight == nil)
        #expect(SpendingInformation(scriptPubKey: .p2sh(script)).hasWitness == nil)
        #expect(SpendingInformation(scriptPubKey: .p2wsh(script)).satisfactionWeight == nil)
        #expect(SpendingInformation(scriptPubKey: .p2wsh(script), witnessScript: script).satisfactionWeight == nil)
        #expect(SpendingInformation(scriptPubKey: script).satisfactionWeight == nil)
        let taproot = try #require(Script.witness(version: 1, program: [UInt8](repeating: 1, count: 32)))
        #expect(SpendingInformation(scriptPubKey: taproot).satisfactionWeight == 66)
    }
}
