extension PSBT {
    /// How an input is spent: the output and the scripts that spend it, checked to belong together.
    public struct Spending: Hashable, Sendable {
        /// The input's index, from 0.
        public let input: Int
        /// The spent output. Its value is proven when the input has its previous transaction; otherwise it is a claim.
        public let output: TransactionOutput
        /// The script that is executed, and the rules for its signatures.
        public let script: SpendingScript
        /// The script behind a P2SH output; `nil` for other outputs.
        public let redeemScript: Script?

        /// The digest that a signature of this input covers.
        /// - Parameters:
        ///   - type: one of the six standard types.
        ///   - cache: prepared once from the PSBT's unsigned transaction, for all inputs and types.
        /// - Throws: `PSBTError.input`: `.notECDSA`, `.sighashTypeNotStandard`, `.noOutputForSingle` or
        ///   `.amountOutOfRange`.
        ///
        /// Spec: BIP-143 for witness version 0; else Bitcoin Core, `SignatureHash`.
        public func digest(_ type: SighashType, using cache: SighashCache) throws(PSBTError) -> Digest {
            guard type.isStandard else { throw .input(input, .sighashTypeNotStandard(type)) }
            guard let amount = output.amount else { throw .input(input, .amountOutOfRange) }
            guard script.signatureRules != .other else { throw .input(input, .notECDSA) }
            let code = script.scriptCode
            let digest: Digest
            do throws(SighashCache.Failure) {
                digest =
                    script.signatureRules == .legacy
                    ? try cache.legacyDigest(input: input, scriptCode: code, type: type)
                    : try cache.segwitV0Digest(input: input, scriptCode: code, amount: amount, type: type)
            } catch { throw .noSuchInput(input) }
            guard digest != LegacySighash.one else { throw .input(input, .noOutputForSingle) }
            return digest
        }
    }

    /// The output that an input spends.
    ///
    /// Taken from the previous transaction if there is one, which must match the outpoint and agree with the witness UTXO;
    /// otherwise from the witness UTXO, whose value nothing proves.
    /// - Throws: `PSBTError.noSuchInput`; `.field` for a wrong previous transaction; `.input` with
    ///   `.spentOutputMissing` or `.contradictingSpentOutputs`.
    public func spentOutput(ofInput index: Int) throws(PSBTError) -> TransactionOutput {
        guard inputs.indices.contains(index), unsignedTransaction.inputs.indices.contains(index) else {
            throw .noSuchInput(index)
        }
        let claimed = inputs[index].witnessUTXO
        guard let previous = inputs[index].nonWitnessUTXO else {
            guard let claimed else { throw .input(index, .spentOutputMissing) }
            return claimed
        }
        let outpoint = unsignedTransaction.inputs[index].outpoint
        guard previous.fault(spending: outpoint) == nil, let proven = previous.output(at: outpoint.index) else {
            throw .field(
                PSBTFieldID(.input(index), PSBTInputType.nonWitnessUTXO.rawValue),
                previous.fault(spending: outpoint) ?? .noSuchOutput(outpoint.index))
        }
        guard claimed == nil || claimed == proven else { throw .input(index, .contradictingSpentOutputs) }
        return proven
    }

    /// How an input is spent. Takes the same time for any number of inputs.
    ///
    /// Checks that redeem script and witness script match the hashes that commit to them, that neither is present unless
    /// needed, and that a legacy input has its previous transaction. A final input may have its scripts in the final
    /// scriptSig and witness.
    /// - Throws: what `spentOutput(ofInput:)` throws; `PSBTError.input` with `.script`, `.redeemScriptTooLong` or
    ///   `.previousTransactionMissing`.
    ///
    /// Spec: BIP-174, "Data Signers Check For".
    public func spending(ofInput index: Int) throws(PSBTError) -> Spending {
        let output = try spentOutput(ofInput: index)
        let input = inputs[index]
        let redeemScript = input.redeemScript ?? input.finalScriptSig?.lastPush
        let witnessScript = input.witnessScript ?? input.finalWitness?.last.map { Script($0) }
        let script: SpendingScript
        do throws(SpendingScript.Problem) {
            script = try SpendingScript(
                scriptPubKey: output.scriptPubKey, redeemScript: redeemScript, witnessScript: witnessScript)
        } catch { throw .input(index, .script(error)) }

        let isNested = if case .p2sh = ScriptTemplate(output.scriptPubKey) { true } else { false }
        if !isNested, input.redeemScript != nil { throw .input(index, .script(.redeemScriptMismatch)) }
        let hasWitnessScript = script.form == .p2wsh || script.form == .p2shP2WSH
        if !hasWitnessScript, input.witnessScript != nil { throw .input(index, .script(.witnessScriptMismatch)) }
        if isNested, let count = redeemScript?.bytes.count, count > Script.maximumRedeemScriptLength {
            throw .input(index, .redeemScriptTooLong(count))
        }
        if script.signatureRules == .legacy, input.nonWitnessUTXO == nil {
            throw .input(index, .previousTransactionMissing)
        }
        return Spending(
            input: index, output: output, script: script, redeemScript: isNested ? redeemScript : nil)
    }
}

extension Script {
    /// The script that the last operation pushes; `nil` when it pushes no bytes.
    fileprivate var lastPush: Script? { elements?.last?.data.map { Script($0) } }
}
