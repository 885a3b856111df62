/// Every kind of finding; the raw value is its stable name.
///
/// Spec: threats, "The PSBT lies".
public enum FindingCode: String, Sendable, CaseIterable {
    // Refused.
    case previousTransactionMismatch = "previous_transaction_mismatch"
    case previousOutputMissing = "previous_output_missing"
    case previousTransactionMissing = "previous_transaction_missing"
    case spentOutputUnknown = "spent_output_unknown"
    case spentOutputsDisagree = "spent_outputs_disagree"
    case redeemScriptMismatch = "redeem_script_mismatch"
    case redeemScriptMissing = "redeem_script_missing"
    case witnessScriptMismatch = "witness_script_mismatch"
    case witnessScriptMissing = "witness_script_missing"
    case derivationMismatch = "derivation_mismatch"
    case keyNotInScript = "key_not_in_script"
    case changeMismatch = "change_mismatch"
    case changeCosignersDiffer = "change_cosigners_differ"
    case duplicateInput = "duplicate_input"
    case amountOutOfRange = "amount_out_of_range"
    case outputsExceedInputs = "outputs_exceed_inputs"
    case badPartialSignature = "bad_partial_signature"
    case badFinalScript = "bad_final_script"
    case modifiableFlagsMismatch = "modifiable_flags_mismatch"
    case moneyInNullData = "money_in_null_data"
    case networkMismatch = "network_mismatch"
    case tooManyAccounts = "too_many_accounts"
    case messageAsPayment = "message_as_payment"
    case transactionEmpty = "transaction_empty"
    case walletUnsound = "wallet_unsound"
    // Refused for this input only.
    case taprootInput = "taproot_input"
    case pathNotSignable = "path_not_signable"
    // Refused or warned about, depending on an option.
    case amountNotProven = "amount_not_proven"
    case sighashNotAll = "sighash_not_all"
    // Warned about.
    case changePathUnusual = "change_path_unusual"
    case changeNotProven = "change_not_proven"
    case walletChangeNotProven = "wallet_change_not_proven"
    case feeHigh = "fee_high"
    case feeRateHigh = "fee_rate_high"
    case feeRateLow = "fee_rate_low"
    case outputUnspendable = "output_unspendable"
    case outputUnknown = "output_unknown"
    case outputDust = "output_dust"
    case addressAlreadyPaid = "address_already_paid"
    // Refused, warned about or shown, as the program's own check decides.
    case policy
    // Shown.
    case paymentRepeated = "payment_repeated"
    case lockTime = "lock_time"
    case relativeLock = "relative_lock"
    case replaceable = "replaceable"
}

extension FindingCode {
    /// Whether it could cost money, so that a yes given in advance to all questions is not enough.
    public var needsAcceptance: Bool {
        switch self {
        case .amountNotProven, .changePathUnusual, .changeNotProven, .walletChangeNotProven, .feeHigh, .feeRateHigh,
            .outputUnspendable, .outputUnknown, .addressAlreadyPaid, .policy:
            true
        default: false
        }
    }
}
