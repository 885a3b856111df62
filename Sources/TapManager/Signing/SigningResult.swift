import Bitcoin

/// A PSBT after signing, finalized as far as its signatures go.
public struct SigningResult: Sendable {
    /// The PSBT; inputs whose signatures are complete are finalized.
    public let psbt: PSBT
    /// Signatures that this run added.
    public let added: Int
    /// The transaction, when every input is complete.
    public let transaction: Transaction?

    /// Finalizes what is complete, and extracts the transaction when everything is.
    public init(_ outcome: SignFlow.Outcome) {
        var psbt = outcome.psbt
        let digests = SighashCache(psbt.unsignedTransaction)
        for index in psbt.inputs.indices {
            // What cannot be finalized (others' inputs, scripts without a template) stays as it is.
            _ = try? psbt.finalize(input: index, using: digests)
        }
        self.psbt = psbt
        added = outcome.added
        transaction = try? psbt.extractedTransaction()
    }
}
