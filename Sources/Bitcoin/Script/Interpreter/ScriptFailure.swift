/// Why a script does not let an input spend its output.
///
/// Spec: Bitcoin Core, `script/script_error.h`.
public enum ScriptFailure: Error, Hashable, Sendable {
    // How the script ended.

    /// The script ended without a true value on the stack.
    case evaluatedFalse
    /// The script ran `OP_RETURN`.
    case returned
    /// A verifying operation found a false value: the operation's byte.
    case verifyFailed(Opcode)
    /// Items were left over on the stack.
    case stackNotClean

    // What consensus limits.

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
    /// More signature checks than the witness pays for (BIP-342).
    case signatureBudgetExceeded
    /// Not 0…20 keys.
    case keyCount
    /// Not 0 to as many signatures as keys.
    case signatureCount

    // What the script is made of.

    /// An operation that does not exist here, or a truncated push.
    case badOpcode
    /// An operation that consensus switched off.
    case disabledOpcode
    /// An operation found too few items.
    case stackTooShort
    /// `OP_FROMALTSTACK` found nothing.
    case alternateStackEmpty
    /// `OP_IF`, `OP_ELSE` and `OP_ENDIF` do not match.
    case unbalancedConditional
    /// A number has too many bytes.
    case numberTooLong
    /// A push or number is not the shortest.
    case notMinimal
    /// What `OP_IF` or `OP_NOTIF` took is neither empty nor 01.
    case conditionNotMinimal
    /// `OP_CODESEPARATOR` where it must not stand.
    case codeSeparator
    /// The script contains the signature that it checks.
    case signatureInScript
    /// `OP_CHECKMULTISIG` in tapscript.
    case multisigInTapscript

    // Lock times.

    /// A negative lock time.
    case negativeLockTime
    /// The transaction's lock time or the input's sequence does not fulfil what the script demands.
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
    /// The item that `OP_CHECKMULTISIG` takes in excess is not empty (BIP-147).
    case multisigDummyNotEmpty
    /// A public key in no known encoding.
    case publicKeyType
    /// A Schnorr signature with another length than 64 or 65 bytes.
    case schnorrLength
    /// A Schnorr signature that does not verify.
    case schnorrInvalid

    // Wrapping.

    /// The scriptSig of a P2SH output does more than push.
    case scriptSigNotPushOnly
    /// The scriptSig of a witness program is not what it must be: empty, or the one push of the program.
    case scriptSigBesideWitness
    /// A witness without a witness program.
    case unexpectedWitness
    /// A witness program with an empty witness.
    case witnessEmpty
    /// The witness does not belong to the program: another hash, another count, or no leaf of the tree.
    case witnessMismatch
    /// A program of version 0 with another length than 20 or 32 bytes.
    case witnessProgramLength
    /// A control block whose length is not 33 and up to 128 times 32 bytes.
    case controlBlockLength
    /// No input has this number, or its spent output is worth no valid amount.
    case noSuchInput

    // What has no rules yet: nobody can say today whether it will be valid.

    /// A spare `OP_NOP`.
    case upgradableNop
    /// A witness program without rules.
    case upgradableWitnessProgram
    /// A leaf version without rules.
    case upgradableLeafVersion
    /// An `OP_SUCCESS`.
    case upgradableSuccess
    /// A public key type without rules.
    case upgradablePublicKeyType

    /// Whether the script uses what has no rules yet, so that consensus lets it pass today.
    public var isUpgradable: Bool {
        switch self {
        case .upgradableNop, .upgradableWitnessProgram, .upgradableLeafVersion, .upgradableSuccess,
            .upgradablePublicKeyType:
            true
        default: false
        }
    }
}
