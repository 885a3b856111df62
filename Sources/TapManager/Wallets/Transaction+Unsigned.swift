import Bitcoin

extension Transaction {
    /// The same without scripts and witnesses in its inputs, as a PSBT has it; stored under that id.
    var withoutSignatures: Transaction {
        var unsigned = self
        for index in unsigned.inputs.indices {
            unsigned.inputs[index].scriptSig = Script()
            unsigned.inputs[index].witness = []
        }
        return unsigned
    }
}
