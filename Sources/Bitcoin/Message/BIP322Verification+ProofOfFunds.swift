extension BIP322Verification {
    /// Verifies a finalized PSBT of a virtual transaction. Its first input spends the virtual output; the others spend the
    /// outputs that the signer claims to control. There may be no others: then no funds are proven.
    ///
    /// Spec: BIP-322, "Full (Proof of Funds)".
    func outcome(of psbt: PSBT) -> MessageVerdict.Outcome {
        let previousOutputs = Self.previousOutputs(in: psbt)
        var funds: [ClaimedOutput] = []
        do throws(MessageFault) {
            for index in psbt.inputs.indices {
                let outpoint = psbt.unsignedTransaction.inputs[index].outpoint
                if index == 0 {
                    guard outpoint == virtualOutpoint else { throw .otherMessageOrAddress }
                    try confirmVirtualOutput(of: psbt)
                } else {
                    funds.append(try Self.fund(of: psbt, input: index, outpoint, previousOutputs))
                }
                guard psbt.inputs[index].isFinal else { throw .notFinal(input: index) }
            }
        } catch { return .invalid(error) }
        guard let toSign = try? psbt.extractedTransaction() else { return .invalid(.otherMessageOrAddress) }
        return outcome(of: toSign, funds: funds)
    }

    /// The PSBT need not say what the first input spends, but it must not contradict what is known.
    private func confirmVirtualOutput(of psbt: PSBT) throws(MessageFault) {
        let input = psbt.inputs[0]
        guard input.witnessUTXO != nil || input.nonWitnessUTXO != nil else { return }
        guard let claimed = try? psbt.spentOutput(ofInput: 0), [claimed] == toSpend.outputs else {
            throw .spentOutput(input: 0)
        }
    }

    /// What an input after the first spends. Its previous transaction is needed only once, at any input that spends it.
    private static func fund(
        of psbt: PSBT, input index: Int, _ outpoint: Outpoint, _ previousOutputs: [TransactionID: [TransactionOutput]]
    ) throws(MessageFault) -> ClaimedOutput {
        let claimed = psbt.inputs[index].witnessUTXO
        guard let outputs = previousOutputs[outpoint.transactionID] else {
            guard let claimed else { throw .spentOutput(input: index) }
            return ClaimedOutput(outpoint: outpoint, output: claimed, hasPreviousTransaction: false)
        }
        guard outpoint.index < outputs.count, claimed == nil || claimed == outputs[Int(outpoint.index)] else {
            throw .spentOutput(input: index)
        }
        return ClaimedOutput(
            outpoint: outpoint, output: outputs[Int(outpoint.index)], hasPreviousTransaction: true)
    }

    /// The outputs of every previous transaction in a PSBT, each read once.
    private static func previousOutputs(in psbt: PSBT) -> [TransactionID: [TransactionOutput]] {
        var outputs: [TransactionID: [TransactionOutput]] = [:]
        for previous in psbt.inputs.lazy.compactMap({ $0.nonWitnessUTXO }) where outputs[previous.txid] == nil {
            outputs[previous.txid] = (try? Transaction(serialized: previous.bytes))?.outputs ?? []
        }
        return outputs
    }
}
