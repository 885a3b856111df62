import Bitcoin
import Testing

extension ScriptJury {
    /// Runs the final scripts of an input of a PSBT, whatever the other inputs are.
    @discardableResult
    public mutating func judge(
        _ psbt: PSBT, input index: Int, under rules: [ScriptRules], _ comment: @autoclosure () -> String = ""
    ) -> [ScriptFailure?] {
        let transaction = psbt.finalTransaction
        let unknown = TransactionOutput(value: 0, scriptPubKey: Script())
        let spent = psbt.inputs.indices.map { (try? psbt.spentOutput(ofInput: $0)) ?? unknown }
        return judge(transaction, spending: spent, input: index, under: rules, comment())
    }
}

extension PSBT {
    /// The transaction with the final scripts that there are.
    fileprivate var finalTransaction: Transaction {
        var transaction = unsignedTransaction
        for (index, input) in zip(transaction.inputs.indices, inputs) {
            transaction.inputs[index].scriptSig = input.finalScriptSig ?? Script()
            transaction.inputs[index].witness = input.finalWitness ?? []
        }
        return transaction
    }

    /// Expects that every input is final and opens what it spends: by `verifyFinalScripts`, by our interpreter and by Bitcoin
    /// Core, each by consensus and by all rules for relay; and that a real node takes the transaction (`NodeJury`).
    public func expectVerified(
        _ comment: String = "", at location: SourceLocation = #_sourceLocation
    ) async throws {
        try await Self.expectVerified([self], comment, at: location)
    }

    /// The same of many.
    public static func expectVerified(
        _ psbts: [PSBT], _ comment: String = "", at location: SourceLocation = #_sourceLocation
    ) async throws {
        var jury = ScriptJury()
        for psbt in psbts {
            let digests = SighashCache(psbt.unsignedTransaction)
            for index in psbt.inputs.indices {
                #expect(
                    try psbt.verifyFinalScripts(ofInput: index, using: digests) == .verified, "\(comment)",
                    sourceLocation: location)
                let failures = jury.judge(psbt, input: index, under: [[], .standard], comment)
                #expect(failures == [nil, nil], "\(comment) input \(index)", sourceLocation: location)
            }
        }
        try await jury.agree(at: location)
        try await NodeJury.expectTaken(psbts.map(\.finalTransaction), comment, at: location)
    }
}
