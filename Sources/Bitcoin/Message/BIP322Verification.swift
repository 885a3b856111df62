/// Verifies a virtual transaction that was signed for a message and an address.
///
/// Spec: BIP-322, "Verification Process".
struct BIP322Verification {
    /// The most weight that a transaction may have; a block has no room for more.
    ///
    /// Spec: BIP-141, "Block size".
    static let maximumWeight = 4_000_000

    /// Spec: BIP-322, "Verification Process", the required rules.
    static let requiredRules: ScriptRules = [
        .sighashAll, .constantScriptCode, .noCodeSeparator, .lowS, .strictEncoding, .nullFail, .minimalData,
        .cleanStack, .minimalIf,
    ]

    /// The transaction whose output is spent.
    let toSpend: Transaction
    /// The outpoint of that output.
    let virtualOutpoint: Outpoint

    init(message: [UInt8], scriptPubKey: Script) {
        toSpend = BIP322.toSpend(message: message, scriptPubKey: scriptPubKey)
        virtualOutpoint = Outpoint(transactionID: toSpend.id, index: 0)
    }

    /// Verifies a signed transaction.
    /// - Parameter funds: what its inputs after the first spend; fewer than those inputs when unknown.
    func outcome(of toSign: Transaction, funds: [ClaimedOutput] = []) -> MessageVerdict.Outcome {
        if let fault = structuralFault(of: toSign) { return .invalid(fault) }
        guard funds.count == toSign.inputs.count - 1 else { return .inconclusive(.unknownFunds) }
        let spentOutputs = toSpend.outputs + funds.map(\.output)
        let amounts = spentOutputs.compactMap(\.amount)
        guard amounts.count == spentOutputs.count, Amount.sum(amounts) != nil,
            var verifier = SpendVerifier(toSign, spentOutputs: spentOutputs)
        else { return .invalid(.amounts) }

        var doubt: MessageFault?
        for index in toSign.inputs.indices {
            do throws(ScriptFailure) {
                try Self.verify(input: index, with: &verifier)
            } catch {
                guard error.isUpgradable else { return .invalid(.script(input: index, error)) }
                doubt = doubt ?? .script(input: index, error)
            }
        }
        guard toSign.version == 0 || toSign.version == 2 else {
            return .inconclusive(.transactionVersion(toSign.version))
        }
        if let doubt { return .inconclusive(doubt) }
        let locks = MessageLocks(
            version: toSign.version, lockTime: toSign.lockTime, sequence: toSign.inputs[0].sequence)
        return .valid(MessageProof(locks: locks, funds: funds))
    }

    /// Required rules come first: only what passes them can be inconclusive.
    private static func verify(input index: Int, with verifier: inout SpendVerifier) throws(ScriptFailure) {
        do throws(ScriptFailure) {
            try verifier.verify(input: index, rules: requiredRules.union(.noUpgradable))
        } catch {
            if error.isUpgradable { try verifier.verify(input: index, rules: requiredRules) }
            throw error
        }
    }

    private func structuralFault(of toSign: Transaction) -> MessageFault? {
        guard toSign.inputs.first?.outpoint == virtualOutpoint else { return .otherMessageOrAddress }
        guard toSign.outputs == [BIP322.output] else { return .outputs }
        let outpoints = Set(toSign.inputs.map(\.outpoint))
        let nothing = Outpoint(transactionID: BIP322.noTransaction, index: 0xFFFF_FFFF)
        guard outpoints.count == toSign.inputs.count, !outpoints.contains(nothing) else { return .inputs }
        guard toSign.weight <= Self.maximumWeight else { return .tooLarge(limit: Self.maximumWeight) }
        return nil
    }
}
