import Bitcoin

extension Transaction {
    /// The same without scripts and witnesses in its inputs: what a PSBT of it holds, by whose id it is stored.
    var withoutSignatures: Transaction {
        var unsigned = self
        for index in unsigned.inputs.indices {
            unsigned.inputs[index].scriptSig = Script()
            unsigned.inputs[index].witness = []
        }
        return unsigned
    }
}
