/// Why a script does not let an input spend its output.
///
/// Spec: Bitcoin Core, `script/script_error.h`.
public enum ScriptFailure: Error, Hashable, Sendable {
    // How the script ended.

    /// The script ended without a true value on the stack.
    case evaluatedFalse
    /// The script ran `OP_RETURN`.
    case returned
    /// A VERIFY operation found a false value: the operation's byte.
    case verifyFailed(Opcode)
    /// Items were left over on the stack.
    case stackNotClean

    // Consensus limits.

    /// The script has more than 10 000 bytes.
    case scriptTooLong
    /// An item has more than 520 bytes.
    case itemTooLong
    /// More than 201 operations.
    case tooManyOperations
    /// More than 1 000 items on the stacks.
    case tooManyItems
    /// More signature checks than a block has room for.
    case tooManySignatureChecks
    /// More signature checks than the witness size allows (BIP-342).
    case signatureBudgetExceeded
    /// Not 0…20 keys.
    case keyCount
    /// The number of signatures is not between 0 and the number of keys.
    case signatureCount

    // The script's contents.

    /// An operation that does not exist here, or a truncated push.
    case badOpcode
    /// An operation that consensus disabled.
    case disabledOpcode
    /// An operation found too few items.
    case stackTooShort
    /// `OP_FROMALTSTACK` found nothing.
    case alternateStackEmpty
    /// `OP_IF`, `OP_ELSE` and `OP_ENDIF` do not match.
    case unbalancedConditional
    /// A number has too many bytes.
    case numberTooLong
    /// A push or number is not in its shortest form.
    case notMinimal
    /// What `OP_IF` or `OP_NOTIF` took is neither empty nor 01.
    case conditionNotMinimal
    /// `OP_CODESEPARATOR` where it is not allowed.
    case codeSeparator
    /// The script contains the signature that it checks.
    case signatureInScript
    /// `OP_CHECKMULTISIG` in tapscript.
    case multisigInTapscript

    // Lock times.

    /// A negative lock time.
    case negativeLockTime
    /// The transaction's lock time or the input's sequence does not satisfy the script.
    case lockTimeNotReached

    // Signatures and keys.

    /// A signature that is not strictly DER (BIP-66).
    case signatureNotDER
    /// A signature with a high S.
    case signatureHighS
    /// A sighash type that is unknown or not allowed.
    case sighashType
    /// A signature that does not verify, and is not empty.
    case signatureNotEmpty
    /// The extra item that `OP_CHECKMULTISIG` consumes is not empty (BIP-147).
    case multisigDummyNotEmpty
    /// A public key in an unknown encoding.
    case publicKeyType
    /// A Schnorr signature whose length is not 64 or 65 bytes.
    case schnorrLength
    /// A Schnorr signature that does not verify.
    case schnorrInvalid

    // Wrapping.

    /// The scriptSig of a P2SH output does more than push.
    case scriptSigNotPushOnly
    /// The scriptSig of a witness program is not empty, or not the one push of the program.
    case scriptSigBesideWitness
    /// A witness without a witness program.
    case unexpectedWitness
    /// A witness program with an empty witness.
    case witnessEmpty
    /// The witness does not match the program: wrong hash, wrong count, or not a leaf of the tree.
    case witnessMismatch
    /// A version 0 program whose length is not 20 or 32 bytes.
    case witnessProgramLength
    /// A control block whose length is not 33 bytes plus up to 128 times 32 bytes.
    case controlBlockLength
    /// No input has this index, or its spent output's amount is invalid.
    case noSuchInput

    // Features without rules yet: whether they will be valid is not known today.

    /// A reserved `OP_NOP`.
    case upgradableNop
    /// A witness program without rules.
    case upgradableWitnessProgram
    /// A leaf version without rules.
    case upgradableLeafVersion
    /// An `OP_SUCCESS`.
    case upgradableSuccess
    /// A public key type without rules.
    case upgradablePublicKeyType

    /// Whether the script uses a feature without rules yet, which consensus accepts today.
    public var isUpgradable: Bool {
        switch self {
        case .upgradableNop, .upgradableWitnessProgram, .upgradableLeafVersion, .upgradableSuccess,
            .upgradablePublicKeyType:
            true
        default: false
        }
    }
}
