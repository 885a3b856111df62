import Bitcoin

/// What the checks examine: a PSBT, what is known about the signer's keys, and what follows for inputs and outputs.
///
/// Made once for a PSBT; checks only read it.
public struct SigningContext: Sendable {
    /// The PSBT to sign. Its claims are not proven; `review` shows what is.
    public let psbt: PSBT
    /// Its transaction, without signatures.
    package let transaction: Transaction
    let digests: SighashCache
    /// Selects the form of addresses, and whose extended keys the PSBT may have.
    public let network: Network
    let policy: SigningPolicy
    /// The signer's; zero if a PSBT is only reviewed, without keys.
    package let masterFingerprint: Fingerprint
    /// One for each input: what is spent, or what is wrong with the PSBT's claim.
    let coins: [Result<TransactionOutput, PSBTError>]
    /// One for each input: how it is spent, or why its scripts do not match what is spent.
    let spendings: [Result<PSBT.Spending, PSBTError>]
    /// One for each input: the derivations that have our fingerprint.
    let claims: [[KeyClaim]]
    /// One for each output.
    let changes: [ChangeVerdict]
    /// The wallet that the transaction belongs to; `nil` if there is none, or it is not known.
    var wallet: WatchWallet?
    /// The network of the signer's keys; `nil`: unknown.
    var signerNetwork: KeyNetwork?
    /// By input, the path of a key of ours that has signed it, where only the stored PSBT says that the key is ours. Only
    /// the review counts these inputs as ours: nothing is signed or refused because of them.
    var signedBefore: [Int: DerivationPath] = [:]
    /// What proves which inputs and outputs are ours.
    var evidence = TransactionReview.Evidence.keys

    /// The transaction as the user sees it: amounts, addresses, which outputs are proven change, the fee. An input's
    /// amount is only claimed if its `isProven` is false, and then so is the fee. Made anew on each call, linear in
    /// inputs and outputs; `nil` if an amount is unknown or out of range, which is refused anyway.
    public var review: TransactionReview? { TransactionReview(self) }

    /// What an input spends; `nil` if it is unknown or contradictory.
    func coin(_ index: Int) -> TransactionOutput? { try? coins[index].get() }

    /// Whether the previous transaction, which hashes to the outpoint, proves what an input spends.
    func isProven(_ index: Int) -> Bool { psbt.inputs[index].nonWitnessUTXO != nil && coin(index) != nil }

    /// The script that an input executes; `nil` if it is unknown or cannot be parsed.
    func script(_ index: Int) -> SpendingScript? { try? spendings[index].get().script }

    /// What all checks find: the built-in ones first, then the program's own.
    var findings: [Finding] { (Self.checks + policy.checks).flatMap { $0.findings(in: self) } }

    func subject(input index: Int) -> Finding.Subject { .input(index, transaction.inputs[index].outpoint) }
}

extension SigningContext {
    /// The built-in checks, in the order in which findings are shown.
    static let checks: [any SigningCheck] = [
        EmptinessCheck(), MessageCheck(), DuplicateInputCheck(), SpentOutputCheck(), ScriptCommitmentCheck(),
        KeyClaimCheck(), NetworkCheck(),
        SighashCheck(), ExistingSignatureCheck(), ModifiableFlagsCheck(), AmountCheck(), OutputScriptCheck(),
        RepeatedPaymentCheck(), ChangeCheck(), WalletChangeCheck(), FeeCheck(), TimeLockCheck(),
    ]
}
