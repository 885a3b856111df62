extension PSBT {
    /// The result of finalizing an input.
    public enum Finalization: Hashable, Sendable {
        /// The input is final now.
        case finalized
        /// The input was final before, and is unchanged. Whether its scripts spend the output is not checked.
        case alreadyFinal
        /// The input is unchanged: it has too few of the signatures that its script needs.
        case signaturesMissing(present: Int, needed: Int)
        /// The input is unchanged: its policy is not met. Signatures or preimages are missing, or a lock is not open.
        case policyNotMet
        /// The input is unchanged: its script is neither a known template nor miniscript.
        case scriptNotSupported
    }

    /// Whether there is an input, and every input is final.
    public var isFinalized: Bool { !inputs.isEmpty && inputs.allSatisfy(\.isFinal) }

    /// Finalizes one input: verifies every partial signature and builds scriptSig and witness for a P2PK, P2PKH or
    /// multisig script, bare or in P2SH, P2WPKH, P2WSH and their P2SH forms, and for miniscript in P2WSH: then the
    /// smallest witness that nobody else can alter. Other known fields except the UTXOs are removed; unknown and
    /// proprietary fields are kept.
    ///
    /// To share one cache for many inputs: `finalize(input:using:)`, `finalizeInputs()`.
    /// - Throws: what `verifyPartialSignatures` throws. The PSBT is then unchanged.
    ///
    /// Spec: BIP-174, "Input Finalizer"; BIP-379, "Satisfactions and malleability".
    @discardableResult
    public mutating func finalize(input index: Int) throws(PSBTError) -> Finalization {
        try finalize(input: index, using: SighashCache(unsignedTransaction))
    }

    /// Finalizes every input that can be.
    /// - Returns: the result for each input, in order.
    /// - Throws: what `finalize(input:)` throws for the first input that throws. The inputs before it are final.
    @discardableResult
    public mutating func finalizeInputs() throws(PSBTError) -> [Finalization] {
        let cache = SighashCache(unsignedTransaction)
        var results: [Finalization] = []
        for index in inputs.indices { results.append(try finalize(input: index, using: cache)) }
        return results
    }

    /// Finalizes one input like `finalize(input:)`.
    /// - Parameter cache: prepared from `unsignedTransaction`.
    @discardableResult
    public mutating func finalize(
        input index: Int, using cache: SighashCache
    ) throws(PSBTError) -> Finalization {
        guard inputs.indices.contains(index) else { throw .noSuchInput(index) }
        if inputs[index].isFinal { return .alreadyFinal }
        let spending = try spending(ofInput: index)
        if spending.script.signatureRules == .other { return .scriptNotSupported }
        try verifyPartialSignatures(of: spending, using: cache)

        let stack: [[UInt8]]
        switch SignatureStack(spending.script.template, signatures: inputs[index].partialSignatures) {
        case .complete(let items): stack = items
        case .incomplete(let present, let needed): return .signaturesMissing(present: present, needed: needed)
        case nil:
            guard let policy = spending.script.miniscript else { return .scriptNotSupported }
            let assets = InputAssets(
                inputs[index], for: policy, signatures: inputs[index].partialSignatures,
                locks: try locks(ofInput: index))
            guard let items = policy.witness(with: assets) else { return .policyNotMet }
            stack = items
        }
        let (scriptSig, witness) = spending.unlocking(stack)
        inputs[index].map.removeAll { PSBTInputType(rawValue: $0.type)?.staysInFinalInput == false }
        inputs[index].finalScriptSig = scriptSig.isEmpty ? nil : scriptSig
        inputs[index].finalWitness = witness.isEmpty ? nil : witness
        return .finalized
    }
}

/// What the available signatures give for a script.
private enum SignatureStack {
    /// The stack for the script, bottom first.
    case complete([[UInt8]])
    /// Fewer signatures than the script needs.
    case incomplete(present: Int, needed: Int)

    /// Picks the signatures that a script needs, in its order; `nil` when the script is unknown.
    init?(_ template: ScriptTemplate, signatures: [PartialSignature]) {
        switch template {
        case .p2pk(let publicKey):
            let found = signatures.first { $0.publicKey == publicKey }
            self = found.map { .complete([$0.signature]) } ?? .incomplete(present: 0, needed: 1)
        case .p2pkh(let keyHash):
            let found = signatures.first { Hash160.hash($0.publicKey) == keyHash }
            self = found.map { .complete([$0.signature, $0.publicKey]) } ?? .incomplete(present: 0, needed: 1)
        case .multisig(let multisig):
            let found = multisig.keys.compactMap { key in signatures.first { $0.publicKey == key }?.signature }
            guard found.count >= multisig.threshold else {
                self = .incomplete(present: found.count, needed: multisig.threshold)
                return
            }
            // First an empty item, which OP_CHECKMULTISIG consumes without using it (BIP-147).
            self = .complete([[]] + found.prefix(multisig.threshold))
        default: return nil
        }
    }
}

extension PSBTInputType {
    /// Whether a finalizer keeps the field: the UTXOs, what it wrote itself, private fields, and those that say which
    /// output is spent and how the transaction is built.
    ///
    /// Spec: BIP-174, "Input Finalizer"; BIP-370.
    fileprivate var staysInFinalInput: Bool {
        switch self {
        case .nonWitnessUTXO, .witnessUTXO, .finalScriptSig, .finalScriptWitness, .proprietary: true
        case .previousTransactionID, .outputIndex, .sequence, .requiredTimeLockTime, .requiredHeightLockTime: true
        default: false
        }
    }
}
