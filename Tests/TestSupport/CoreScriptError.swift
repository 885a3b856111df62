import Bitcoin

/// Bitcoin Core's names for the ways in which a script fails, as far as our interpreter tells them apart.
///
/// Spec: Bitcoin Core, `script/script_error.h`.
public enum CoreScriptError {
    /// No error.
    public static let none = "OK"

    /// The name for what our interpreter found; `OK` for `nil`.
    public static func name(of failure: ScriptFailure?) -> String {
        guard let failure else { return none }
        if case .verifyFailed(let opcode) = failure { return verifying[opcode.rawValue] ?? "UNKNOWN" }
        return names[failure] ?? "UNKNOWN"
    }

    /// The name that stands for several of Core's which we call by one.
    public static func coarse(_ name: String) -> String { coarser[name] ?? name }

    private static let coarser = [
        "TAPSCRIPT_MINIMALIF": "MINIMALIF", "WITNESS_PUBKEYTYPE": "PUBKEYTYPE", "TAPSCRIPT_EMPTY_PUBKEY": "PUBKEYTYPE",
        "SCHNORR_SIG_HASHTYPE": "SIG_HASHTYPE", "WITNESS_MALLEATED_P2SH": "WITNESS_MALLEATED",
        "DISCOURAGE_UPGRADABLE_TAPROOT_VERSION": "DISCOURAGE", "DISCOURAGE_UPGRADABLE_PUBKEYTYPE": "DISCOURAGE",
        "DISCOURAGE_UPGRADABLE_NOPS": "DISCOURAGE", "DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM": "DISCOURAGE",
        "DISCOURAGE_OP_SUCCESS": "DISCOURAGE", "SCRIPTNUM": "NUMBER", "MINIMALDATA": "NUMBER",
        // As script_tests.json writes it.
        "NULLFAIL": "SIG_NULLFAIL",
    ]

    private static let verifying: [UInt8: String] = [
        0x69: "VERIFY", 0x88: "EQUALVERIFY", 0x9D: "NUMEQUALVERIFY", 0xAD: "CHECKSIGVERIFY",
        0xAF: "CHECKMULTISIGVERIFY",
    ]

    private static let names: [ScriptFailure: String] = [
        .evaluatedFalse: "EVAL_FALSE", .returned: "OP_RETURN", .stackNotClean: "CLEANSTACK",
        .scriptTooLong: "SCRIPT_SIZE", .itemTooLong: "PUSH_SIZE", .tooManyOperations: "OP_COUNT",
        .tooManyItems: "STACK_SIZE", .signatureBudgetExceeded: "TAPSCRIPT_VALIDATION_WEIGHT",
        .keyCount: "PUBKEY_COUNT", .signatureCount: "SIG_COUNT", .badOpcode: "BAD_OPCODE",
        .disabledOpcode: "DISABLED_OPCODE", .stackTooShort: "INVALID_STACK_OPERATION",
        .alternateStackEmpty: "INVALID_ALTSTACK_OPERATION", .unbalancedConditional: "UNBALANCED_CONDITIONAL",
        .numberTooLong: "NUMBER", .notMinimal: "NUMBER", .conditionNotMinimal: "MINIMALIF",
        .codeSeparator: "OP_CODESEPARATOR", .signatureInScript: "SIG_FINDANDDELETE",
        .multisigInTapscript: "TAPSCRIPT_CHECKMULTISIG", .negativeLockTime: "NEGATIVE_LOCKTIME",
        .lockTimeNotReached: "UNSATISFIED_LOCKTIME", .signatureNotDER: "SIG_DER", .signatureHighS: "SIG_HIGH_S",
        .sighashType: "SIG_HASHTYPE", .signatureNotEmpty: "SIG_NULLFAIL", .multisigDummyNotEmpty: "SIG_NULLDUMMY",
        .publicKeyType: "PUBKEYTYPE", .schnorrLength: "SCHNORR_SIG_SIZE", .schnorrInvalid: "SCHNORR_SIG",
        .scriptSigNotPushOnly: "SIG_PUSHONLY", .scriptSigBesideWitness: "WITNESS_MALLEATED",
        .unexpectedWitness: "WITNESS_UNEXPECTED", .witnessEmpty: "WITNESS_PROGRAM_WITNESS_EMPTY",
        .witnessMismatch: "WITNESS_PROGRAM_MISMATCH", .witnessProgramLength: "WITNESS_PROGRAM_WRONG_LENGTH",
        .controlBlockLength: "TAPROOT_WRONG_CONTROL_SIZE", .upgradableNop: "DISCOURAGE",
        .upgradableWitnessProgram: "DISCOURAGE", .upgradableLeafVersion: "DISCOURAGE",
        .upgradableSuccess: "DISCOURAGE", .upgradablePublicKeyType: "DISCOURAGE",
    ]
}
