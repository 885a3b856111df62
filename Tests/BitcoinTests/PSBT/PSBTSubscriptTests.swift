import Bitcoin
import Testing

/// Inputs and outputs are changed one at a time, and stay as many as the transaction has.
@Suite struct PSBTSubscriptTests {
    @Test func oneInputAndOneOutputAreChanged() throws {
        let psbt = try SpendingForm.unsignedPSBT([.p2wpkh, .p2wpkh])
        var changed = psbt
        changed[input: 1].sighashType = .single
        changed[output: 0].witnessScript = Script([0x51])
        #expect(changed[input: 1].sighashType == .single && changed.inputs[1].sighashType == .single)
        #expect(changed[output: 0].witnessScript == Script([0x51]))
        #expect(changed.inputs[0] == psbt.inputs[0] && changed.outputs.dropFirst() == psbt.outputs.dropFirst())
        #expect(changed.inputs.count == psbt.unsignedTransaction.inputs.count)
        #expect(try PSBT(serialized: changed.serialized()).inputs == changed.inputs)

        changed[input: 1] = psbt[input: 1]
        changed[output: 0] = psbt[output: 0]
        #expect(changed.serialized() == psbt.serialized())
    }
}
