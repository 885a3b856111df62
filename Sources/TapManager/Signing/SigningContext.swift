import Bitcoin

/// What the checks look at: a PSBT, what is known of the signer's keys, and what was made out about inputs and outputs.
///
/// Made once for a PSBT; checks only read it.
public struct SigningContext: Sendable {
    /// What is to be signed. What it claims is not proven; `review` says what is.
    public let psbt: PSBT
    /// Its transaction, without signatures.
    package let transaction: Transaction
    let digests: SighashCache
    /// Whose addresses are shown, and whose extended keys the PSBT may hold.
    public let network: Network
    let policy: SigningPolicy
    /// The signer's, zero where a PSBT is only looked at, without keys.
    package let masterFingerprint: Fingerprint
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
    /// Whose word it is what is ours.
    var evidence = TransactionReview.Evidence.keys

    /// The transaction as a person is shown it: amounts, addresses, which outputs are proven to come back, the fee. What an input
    /// holds is only claimed where its `isProven` is false, and then so is the fee. Made anew at each call, linear in inputs and
    /// outputs; `nil` when an amount is unknown or out of range, which is refused anyway.
    public var review: TransactionReview? { TransactionReview(self) }

    /// What an input spends; `nil` when it is unknown or contradicted.
    func coin(_ index: Int) -> TransactionOutput? { try? coins[index].get() }

    /// Whether the previous transaction, which hashes to the outpoint, proves what an input spends.
    func isProven(_ index: Int) -> Bool { psbt.inputs[index].nonWitnessUTXO != nil && coin(index) != nil }

    /// The script that an input executes; `nil` when it is unknown or cannot be opened.
    func script(_ index: Int) -> SpendingScript? { try? spendings[index].get().script }

    /// What all checks find: the rules that always hold, then the program's own.
    var findings: [Finding] { (Self.checks + policy.checks).flatMap { $0.findings(in: self) } }

    func subject(input index: Int) -> Finding.Subject { .input(index, transaction.inputs[index].outpoint) }
}

extension SigningContext {
    /// The rules that always hold, in the order in which people are told.
    static let checks: [any SigningCheck] = [
        EmptinessCheck(), MessageCheck(), DuplicateInputCheck(), SpentOutputCheck(), ScriptCommitmentCheck(),
        KeyClaimCheck(), NetworkCheck(),
        SighashCheck(), ExistingSignatureCheck(), ModifiableFlagsCheck(), AmountCheck(), OutputScriptCheck(),
        RepeatedPaymentCheck(), ChangeCheck(), WalletChangeCheck(), FeeCheck(), TimeLockCheck(),
    ]
}
