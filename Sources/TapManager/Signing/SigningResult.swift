import Bitcoin

/// A PSBT after signing, finalized as far as its signatures go.
public struct SigningResult: Sendable {
    /// The PSBT; inputs with all their signatures are finalized.
    public private(set) var psbt: PSBT
    /// The PSBT before it was finalized, with every signature.
    package let signedPSBT: PSBT
    /// How many signatures this run added.
    package let added: Int
    /// The transaction, if every input is complete.
    public let transaction: Transaction?

    /// Finalizes what is complete, and extracts the transaction if everything is.
    package init(_ signed: PSBT, added: Int) {
        var psbt = signed
        let digests = SighashCache(psbt.unsignedTransaction)
        for index in psbt.inputs.indices {
            // What cannot be finalized (others' inputs, scripts without a template) stays unchanged.
            _ = try? psbt.finalize(input: index, using: digests)
        }
        self.psbt = psbt
        signedPSBT = signed
        self.added = added
        transaction = try? psbt.extractedTransaction()
    }

    /// The same without finalizing, for programs that finalize themselves.
    package func withoutFinalizing() -> SigningResult {
        var result = self
        result.psbt = signedPSBT
        return result
    }
}
