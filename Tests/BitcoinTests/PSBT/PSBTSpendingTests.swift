import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct PSBTSpendingTests {
    private func fault(_ form: SpendingForm, _ change: (inout PSBT.Input) throws -> Void) throws -> PSBTError? {
        var psbt = try SpendingForm.unsignedPSBT([form])
        try change(&psbt[input: 0])
        do { _ = try psbt.spending(ofInput: 0) } catch { return error }
        return nil
    }

    @Test(arguments: SpendingForm.allCases) func everyFormOpens(form: SpendingForm) throws {
        let psbt = try SpendingForm.unsignedPSBT([form])
        let spending = try psbt.spending(ofInput: 0)
        let scripts = try form.scripts()
        #expect(spending.output.scriptPubKey == scripts.output)
        #expect(spending.output.value == 10_000)
        #expect(spending.redeemScript == scripts.redeem)
        #expect(spending.script.signatureRules == (form.isLegacy ? .legacy : .segwitV0))
        for key in try form.keys() { #expect(spending.script.names(publicKey: form.encoding(key))) }
    }

    @Test func theSpentOutputMustBeThere() throws {
        #expect(try fault(.p2wpkh) { $0.witnessUTXO = nil } == .input(0, .spentOutputMissing))
        #expect(try fault(.p2pkh) { $0.nonWitnessUTXO = nil } == .input(0, .spentOutputMissing))
    }

    @Test(arguments: SpendingForm.allCases.filter(\.isLegacy)) func legacyInputsNeedThePreviousTransaction(
        form: SpendingForm
    ) throws {
        let error = try fault(form) {
            $0.witnessUTXO = $0.nonWitnessUTXO?.output(at: 0)
            $0.nonWitnessUTXO = nil
        }
        #expect(error == .input(0, .previousTransactionMissing))
    }

    @Test func bothUTXOsMustAgree() throws {
        let field = PSBTFieldID(.input(0), 0)
        #expect(try fault(.p2pkh) { $0.witnessUTXO = $0.nonWitnessUTXO?.output(at: 0) } == nil)
        #expect(
            try fault(.p2pkh) {
                $0.witnessUTXO = $0.nonWitnessUTXO?.output(at: 0)
                $0.witnessUTXO?.value += 1
            } == .input(0, .contradictingSpentOutputs))
        #expect(
            try fault(.p2pkh) {
                $0.witnessUTXO = TransactionOutput(value: 10_000, scriptPubKey: Script())
            } == .input(0, .contradictingSpentOutputs))
        let other = FaultyRecord.transaction
        #expect(
            try fault(.p2wpkh) { $0.nonWitnessUTXO = try PreviousTransaction(other) }
                == .field(field, .otherTransaction(other.id)))
    }

    @Test func theAmountMustBePossible() throws {
        var psbt = try SpendingForm.unsignedPSBT([.p2wpkh])
        for value in [-1, Amount.maximum.satoshis + 1, .max, .min] {
            psbt[input: 0].witnessUTXO?.value = value
            #expect(throws: PSBTError.input(0, .amountOutOfRange)) {
                try psbt.spending(ofInput: 0).digest(.all, using: SighashCache(psbt.unsignedTransaction))
            }
        }
    }

    @Test func scriptsMustBelongToTheOutput() throws {
        let stranger = Script([0x51])
        for form in SpendingForm.allCases {
            let scripts = try form.scripts()
            #expect(
                try fault(form) { $0.redeemScript = stranger } == .input(0, .script(.redeemScriptMismatch)), "\(form)")
            #expect(
                try fault(form) { $0.witnessScript = stranger } == .input(0, .script(.witnessScriptMismatch)), "\(form)"
            )
            let withoutRedeem = try fault(form) { $0.redeemScript = nil }
            #expect(withoutRedeem == (scripts.redeem == nil ? nil : .input(0, .script(.redeemScriptMissing))))
            let withoutWitness = try fault(form) { $0.witnessScript = nil }
            #expect(withoutWitness == (scripts.witness == nil ? nil : .input(0, .script(.witnessScriptMissing))))
        }
    }

    @Test func redeemScriptsMustFitInAPush() throws {
        let keys = try (1...16).map { number in
            try PrivateKey(SecretBytes(.zeros(31) + [UInt8(number)])).publicKey.bytes
        }
        for (count, isRefused) in [(15, false), (16, true)] {
            let redeemScript = try MultisigScript(threshold: 1, keys: Array(keys.prefix(count))).script
            let funding = Transaction(
                inputs: FaultyRecord.transaction.inputs,
                outputs: [TransactionOutput(value: 1, scriptPubKey: .p2sh(redeemScript))])
            let input = TransactionInput(outpoint: Outpoint(transactionID: funding.id, index: 0))
            var psbt = try PSBT(unsignedTransaction: Transaction(inputs: [input], outputs: []))
            psbt[input: 0].nonWitnessUTXO = try PreviousTransaction(funding)
            psbt[input: 0].redeemScript = redeemScript
            if isRefused {
                #expect(throws: PSBTError.input(0, .redeemScriptTooLong(547))) { try psbt.spending(ofInput: 0) }
            } else {
                #expect(try psbt.spending(ofInput: 0).script.form == .p2sh)
            }
        }
    }
}
