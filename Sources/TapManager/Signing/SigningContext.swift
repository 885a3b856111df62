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
    /// One for each input: what is spent, or what is wrong with the PSBT's word for it.
    let coins: [Result<TransactionOutput, PSBTError>]
    /// One for each input: how it is spent, or why its scripts do not open what is spent.
    let spendings: [Result<PSBT.Spending, PSBTError>]
    /// One for each input: derivations that carry our fingerprint.
    let claims: [[KeyClaim]]
    /// One for each output.
    let changes: [ChangeVerdict]
    /// The wallet that the transaction was made of; `nil` when it is of none, or not known.
    var wallet: WatchWallet?

    /// What an input spends; `nil` when it is unknown or contradicted.
    func coin(_ index: Int) -> TransactionOutput? { try? coins[index].get() }

    /// Whether the previous transaction, which hashes to the outpoint, proves what an input spends.
    func isProven(_ index: Int) -> Bool { psbt.inputs[index].nonWitnessUTXO != nil && coin(index) != nil }

    /// The script that an input executes; `nil` when it is unknown or cannot be opened.
    func script(_ index: Int) -> SpendingScript? { try? spendings[index].get().script }

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
        EmptinessCheck(), MessageCheck(), DuplicateInputCheck(), SpentOutputCheck(), ScriptCommitmentCheck(),
        KeyClaimCheck(), NetworkCheck(),
        SighashCheck(), ExistingSignatureCheck(), ModifiableFlagsCheck(), AmountCheck(), OutputScriptCheck(),
        RepeatedPaymentCheck(), ChangeCheck(), WalletChangeCheck(), FeeCheck(), TimeLockCheck(),
    ]
}
