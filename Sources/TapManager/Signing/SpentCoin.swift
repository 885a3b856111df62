import Bitcoin

/// The output that an input spends, as far as the PSBT shows it.
struct SpentCoin: Sendable {
    /// How the PSBT shows the output.
    enum Evidence: Sendable, Equatable {
        /// By the previous transaction, which hashes to the outpoint: nobody can lie about it.
        case previousTransaction
        /// By the PSBT's own word.
        case claim
        /// Not at all, or with a contradiction, which `problem` names.
        case none
    }

    /// What is wrong with the evidence.
    enum Problem: Sendable, Equatable {
        /// The previous transaction's id is another than the outpoint's.
        case otherTransaction(TransactionID)
        /// The previous transaction has only so many outputs.
        case noSuchOutput(count: Int)
        /// Previous transaction and witness UTXO differ.
        case disagreement(proven: TransactionOutput, claimed: TransactionOutput)
        /// Neither is there.
        case missing
    }

    /// The output; `nil` when unknown or contradicted.
    let output: TransactionOutput?
    let evidence: Evidence
    let problem: Problem?

    /// Makes out what an input spends. Linear in the previous transaction's size.
    init(input: PSBT.Input, outpoint: Outpoint) {
        guard let previous = input.nonWitnessUTXO else {
            output = input.witnessUTXO
            evidence = output == nil ? .none : .claim
            problem = output == nil ? .missing : nil
            return
        }
        let verdict = Self.judge(previous, claimed: input.witnessUTXO, outpoint: outpoint)
        output = verdict.output
        problem = verdict.problem
        evidence = verdict.problem == nil ? .previousTransaction : .none
    }

    private static func judge(
        _ previous: PreviousTransaction, claimed: TransactionOutput?, outpoint: Outpoint
    ) -> (output: TransactionOutput?, problem: Problem?) {
        guard previous.txid == outpoint.transactionID else { return (nil, .otherTransaction(previous.txid)) }
        guard let proven = previous.output(at: outpoint.index) else {
            return (nil, .noSuchOutput(count: previous.outputCount))
        }
        if let claimed, claimed != proven { return (nil, .disagreement(proven: proven, claimed: claimed)) }
        return (proven, nil)
    }
}
