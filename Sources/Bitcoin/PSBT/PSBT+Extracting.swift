extension PSBT {
    /// The transaction with the scriptSigs and witnesses of its inputs, ready to broadcast.
    ///
    /// Does not check that they spend the outputs: see `verifyFinalScripts(ofInput:using:)`.
    /// - Throws: `PSBTError.input` with `.notFinal` for the first input that is not final; `.noSuchInput(0)` when there are no inputs.
    ///
    /// Spec: BIP-174, "Transaction Extractor".
    public func extractedTransaction() throws(PSBTError) -> Transaction {
        guard !inputs.isEmpty else { throw .noSuchInput(0) }
        var transaction = unsignedTransaction
        for (index, input) in zip(transaction.inputs.indices, inputs) {
            guard input.isFinal else { throw .input(index, .notFinal) }
            transaction.inputs[index].scriptSig = input.finalScriptSig ?? Script()
            transaction.inputs[index].witness = input.finalWitness ?? []
        }
        return transaction
    }
}
