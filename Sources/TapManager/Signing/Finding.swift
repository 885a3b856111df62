import Bitcoin

/// Something that a person must know about a PSBT before it is signed.
public struct Finding: Hashable, Sendable {
    /// What follows from a finding.
    public enum Severity: Int, Comparable, Sendable {
        /// Shown with the transaction.
        case notice
        /// Shown before the question whether to sign.
        case warning
        /// Nothing is signed.
        case refusal

        /// Whether the left one weighs less.
        public static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
    }

    /// What a finding is about. Inputs and outputs are numbered from 0, as in the transaction.
    public enum Subject: Hashable, Sendable {
        /// The transaction as a whole.
        case transaction
        /// One input, with what it spends.
        case input(Int, Outpoint)
        /// One output.
        case output(Int)
    }

    /// The kind of finding.
    public let code: FindingCode
    /// What follows from it.
    public let severity: Severity
    /// What it is about.
    public let subject: Subject
    /// What was found, with the figures.
    public let detail: String

    /// A finding from its parts.
    public init(_ severity: Severity, _ code: FindingCode, _ subject: Subject, _ detail: String) {
        self.code = code
        self.severity = severity
        self.subject = subject
        self.detail = detail
    }

    /// The subject, then the detail: one sentence for people.
    public var message: String {
        switch subject {
        case .transaction: detail
        case .input(let index, let outpoint): "Input \(index) (\(outpoint)): \(detail)"
        case .output(let index): "Output \(index): \(detail)"
        }
    }
}

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
    // Refused for the input alone.
    case taprootInput = "taproot_input"
    case pathNotSignable = "path_not_signable"
    // Refused or warned about, by option.
    case amountNotProven = "amount_not_proven"
    case sighashNotAll = "sighash_not_all"
    // Warned about.
    case changePathUnusual = "change_path_unusual"
    case changeNotProven = "change_not_proven"
    case feeHigh = "fee_high"
    case feeRateHigh = "fee_rate_high"
    case feeRateLow = "fee_rate_low"
    case outputUnspendable = "output_unspendable"
    case outputUnknown = "output_unknown"
    case outputDust = "output_dust"
    // Shown.
    case lockTime = "lock_time"
    case relativeLock = "relative_lock"
    case replaceable = "replaceable"
}

/// A PSBT that is not signed, and every reason.
public struct SigningRefusal: Error, Sendable, Equatable {
    /// The refusals, in the order of inputs and outputs; never empty.
    public let findings: [Finding]

    /// A refusal for these reasons, at least one.
    public init(findings: [Finding]) { self.findings = findings }
}
