import Bitcoin

/// What the checks look at: a PSBT, what is known of the card's keys, and what was made out about inputs and outputs.
///
/// Made once for a PSBT; checks only read it.
struct SigningContext: Sendable {
    let psbt: PSBT
    let transaction: Transaction
    let digests: SighashCache
    let network: Network
    let policy: SigningPolicy
    let masterFingerprint: Fingerprint
    /// One for each input.
    let coins: [SpentCoin]
    /// One for each input: the script that is executed, or why it cannot be opened; `nil` when the output is unknown.
    let openings: [Result<SpendingScript, SpendingScript.Problem>?]
    /// One for each input: derivations that carry our fingerprint.
    let claims: [[KeyClaim]]
    /// One for each output.
    let changes: [ChangeVerdict]

    /// Whether the spent output is a witness program, bare or inside P2SH, whose digest covers the amount.
    func isWitnessInput(_ index: Int) -> Bool {
        guard let output = coins[index].output else { return false }
        if output.scriptPubKey.witnessProgram != nil { return true }
        guard let redeemScript = psbt.inputs[index].redeemScript, Script.p2sh(redeemScript) == output.scriptPubKey else {
            return psbt.inputs[index].isFinal && psbt.inputs[index].finalWitness != nil
        }
        return redeemScript.witnessProgram != nil
    }

    /// The script that an input executes; `nil` when it is unknown or cannot be opened.
    func script(input index: Int) -> SpendingScript? { try? openings[index]?.get() }

    func subject(input index: Int) -> Finding.Subject { .input(index, transaction.inputs[index].outpoint) }
}

/// One reason to refuse, warn or inform; one file each.
protocol SigningCheck: Sendable {
    /// What it finds. Linear in the number of inputs and outputs.
    func findings(in context: SigningContext) -> [Finding]
}

extension SigningContext {
    /// Every check there is, in the order in which people are told.
    static let checks: [any SigningCheck] = [
        DuplicateInputCheck(), SpentOutputCheck(), ScriptCommitmentCheck(), KeyClaimCheck(), NetworkCheck(),
        SighashCheck(), ExistingSignatureCheck(), AmountCheck(), OutputScriptCheck(), ChangeCheck(), FeeCheck(),
        TimeLockCheck(),
    ]
}
