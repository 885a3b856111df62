import Bitcoin
import TestSupport
import Testing

/// Random scripts, wrapped in every way, whose results another engine computed.
@Suite struct ScriptSpendVectorTests {
    @Test func resultsAreThoseOfAnotherEngine() throws {
        let rows = try Vectors.load("computed/script_spends.json")
        #expect(rows.countsByKind == ["spend": 494])
        var results = Set<String>()
        for row in rows {
            let transaction = try Transaction(serialized: try row.bytes("transaction"))
            let outputs = try row.objects("spent_outputs").map {
                TransactionOutput(
                    value: Int64(try $0.number("value")), scriptPubKey: Script(try $0.bytes("script_pub_key")))
            }
            let rules = try row.texts("flags").reduce(into: ScriptRules()) {
                $0.insert(try #require(Self.rules[$1]))
            }
            var result = "OK"
            do throws(ScriptFailure) {
                var verifier = try Self.verifier(transaction, outputs)
                try verifier.verify(input: 0, rules: rules)
            } catch { result = Self.name(of: error) }
            let expected = try row.text("result")
            #expect(result == Self.coarser[expected] ?? expected, "\(row.testDescription)")
            results.insert(expected)
        }
        #expect(results.count == 51)
    }

    private static func verifier(
        _ transaction: Transaction, _ outputs: [TransactionOutput]
    ) throws(ScriptFailure) -> SpendVerifier {
        guard let verifier = SpendVerifier(transaction, spentOutputs: outputs) else { throw .noSuchInput }
        return verifier
    }

    private static let rules: [String: ScriptRules] = [
        "STRICTENC": .strictEncoding, "LOW_S": .lowS, "NULLFAIL": .nullFail, "MINIMALDATA": .minimalData,
        "MINIMALIF": .minimalIf, "CLEANSTACK": .cleanStack, "CONST_SCRIPTCODE": .constantScriptCode,
        "WITNESS_PUBKEYTYPE": .compressedWitnessKeys, "DISCOURAGE_UPGRADABLE": .noUpgradable,
    ]

    /// What we call by one name.
    private static let coarser = [
        "TAPSCRIPT_MINIMALIF": "MINIMALIF", "WITNESS_PUBKEYTYPE": "PUBKEYTYPE", "TAPSCRIPT_EMPTY_PUBKEY": "PUBKEYTYPE",
        "SCHNORR_SIG_HASHTYPE": "SIG_HASHTYPE", "WITNESS_MALLEATED_P2SH": "WITNESS_MALLEATED",
        "DISCOURAGE_UPGRADABLE_TAPROOT_VERSION": "DISCOURAGE", "DISCOURAGE_UPGRADABLE_PUBKEYTYPE": "DISCOURAGE",
        "DISCOURAGE_UPGRADABLE_NOPS": "DISCOURAGE", "DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM": "DISCOURAGE",
        "DISCOURAGE_OP_SUCCESS": "DISCOURAGE", "SCRIPTNUM": "NUMBER", "MINIMALDATA": "NUMBER",
    ]

    private static func name(of failure: ScriptFailure) -> String {
        switch failure {
        case .evaluatedFalse: "EVAL_FALSE"
        case .returned: "OP_RETURN"
        case .verifyFailed(let opcode): verifying[opcode.rawValue] ?? "unknown"
        case .stackNotClean: "CLEANSTACK"
        case .scriptTooLong: "SCRIPT_SIZE"
        case .itemTooLong: "PUSH_SIZE"
        case .tooManyOperations: "OP_COUNT"
        case .tooManyItems: "STACK_SIZE"
        case .tooManySignatureChecks: "none"
        case .signatureBudgetExceeded: "TAPSCRIPT_VALIDATION_WEIGHT"
        case .keyCount: "PUBKEY_COUNT"
        case .signatureCount: "SIG_COUNT"
        case .badOpcode: "BAD_OPCODE"
        case .disabledOpcode: "DISABLED_OPCODE"
        case .stackTooShort: "INVALID_STACK_OPERATION"
        case .alternateStackEmpty: "INVALID_ALTSTACK_OPERATION"
        case .unbalancedConditional: "UNBALANCED_CONDITIONAL"
        case .numberTooLong, .notMinimal: "NUMBER"
        case .conditionNotMinimal: "MINIMALIF"
        case .codeSeparator: "OP_CODESEPARATOR"
        case .signatureInScript: "SIG_FINDANDDELETE"
        case .multisigInTapscript: "TAPSCRIPT_CHECKMULTISIG"
        case .negativeLockTime: "NEGATIVE_LOCKTIME"
        case .lockTimeNotReached: "UNSATISFIED_LOCKTIME"
        case .signatureNotDER: "SIG_DER"
        case .signatureHighS: "SIG_HIGH_S"
        case .sighashType: "SIG_HASHTYPE"
        case .signatureNotEmpty: "SIG_NULLFAIL"
        case .multisigDummyNotEmpty: "SIG_NULLDUMMY"
        case .publicKeyType: "PUBKEYTYPE"
        case .schnorrLength: "SCHNORR_SIG_SIZE"
        case .schnorrInvalid: "SCHNORR_SIG"
        case .scriptSigNotPushOnly: "SIG_PUSHONLY"
        case .scriptSigBesideWitness: "WITNESS_MALLEATED"
        case .unexpectedWitness: "WITNESS_UNEXPECTED"
        case .witnessEmpty: "WITNESS_PROGRAM_WITNESS_EMPTY"
        case .witnessMismatch: "WITNESS_PROGRAM_MISMATCH"
        case .witnessProgramLength: "WITNESS_PROGRAM_WRONG_LENGTH"
        case .controlBlockLength: "TAPROOT_WRONG_CONTROL_SIZE"
        case .noSuchInput: "none"
        case .upgradableNop, .upgradableWitnessProgram, .upgradableLeafVersion, .upgradableSuccess,
            .upgradablePublicKeyType:
            "DISCOURAGE"
        }
    }

    private static let verifying: [UInt8: String] = [
        0x69: "VERIFY", 0x88: "EQUALVERIFY", 0x9D: "NUMEQUALVERIFY", 0xAD: "CHECKSIGVERIFY",
        0xAF: "CHECKMULTISIGVERIFY",
    ]
}
