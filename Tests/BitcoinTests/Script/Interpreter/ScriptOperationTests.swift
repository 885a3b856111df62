import Bitcoin
import ByteCodec
import TestSupport
import Testing

/// A table for each group of operations: what leaves exactly one true item, and what fails how. Core judges all of it, too.
@Suite final class ScriptOperationTests {
    private var jury = ScriptJury()

    @Test func numbers() async throws {
        try expectTrue([
            "2 1ADD 3 EQUAL", "0 1SUB NEGATIVE1 EQUAL", "5 NEGATE -5 EQUAL", "-5 ABS 5 EQUAL", "0 NOT", "5 NOT NOT",
            "7 0NOTEQUAL", "2 3 ADD 5 EQUAL", "2 3 SUB -1 EQUAL", "1 1 BOOLAND", "0 1 BOOLAND NOT", "0 1 BOOLOR",
            "0 0 BOOLOR NOT", "3 3 NUMEQUAL", "3 3 NUMEQUALVERIFY 1", "3 4 NUMNOTEQUAL", "1 2 LESSTHAN",
            "2 2 LESSTHAN NOT", "2 1 GREATERTHAN", "2 2 LESSTHANOREQUAL", "2 2 GREATERTHANOREQUAL",
            "1 2 GREATERTHANOREQUAL NOT", "4 9 MIN 4 EQUAL", "4 9 MAX 9 EQUAL", "1 1 3 WITHIN", "3 1 3 WITHIN NOT",
            "0 1 3 WITHIN NOT", "2147483647 1ADD 0x0000008000 EQUAL", "2147483647 DUP ADD 4294967294 EQUAL",
            "-2147483647 DUP ADD -4294967294 EQUAL", "127 1ADD 0x8000 EQUAL", "-127 1SUB 0x8080 EQUAL",
            "0x80 NOT",  // negative zero
        ])
        try expect("0x0000008000 1ADD", .numberTooLong)
        try expect("2147483648 NOT", .numberTooLong)
        try expect("1 2 NUMEQUALVERIFY 1", .verifyFailed(Opcode(rawValue: 0x9D)))
        try expect("0x0100 1ADD", .notMinimal, rules: .minimalData)
        try expect("0x80 NOT", .notMinimal, rules: .minimalData)
        try expectTrue(["0x0100 1ADD 2 EQUAL"], rules: [])
        for word in ["1ADD", "NOT", "ABS"] { try expect(word, .stackTooShort) }
        for word in ["ADD", "MIN", "BOOLAND"] { try expect("1 \(word)", .stackTooShort) }
        try expect("1 1 WITHIN", .stackTooShort)
        try await jury.agree()
    }

    @Test func stack() async throws {
        try expectTrue(
            [
                "1 TOALT FROMALT", "1 2 3 2DROP", "1 2 2DUP ADD 3 EQUALVERIFY 2 EQUALVERIFY",
                "1 2 3 3DUP DEPTH 6 EQUALVERIFY 2DROP 2DROP DROP",
                "1 2 3 4 2OVER DEPTH 6 EQUALVERIFY 2 EQUALVERIFY 2DROP 2DROP",
                "1 2 3 4 5 6 2ROT 2 EQUALVERIFY 1 EQUALVERIFY 2DROP DROP 3 EQUAL",
                "1 2 3 4 2SWAP 2 EQUALVERIFY 2DROP 3 EQUAL",
                "1 IFDUP EQUAL", "0 IFDUP DEPTH 1 EQUALVERIFY NOT", "DEPTH NOT", "1 0 DROP", "1 DUP EQUAL", "0 1 NIP",
                "1 0 OVER 2DROP", "1 2 3 0 PICK 3 EQUALVERIFY 2DROP", "1 2 3 2 PICK 1 EQUALVERIFY 2DROP",
                "1 2 3 2 ROLL 1 EQUALVERIFY 3 EQUALVERIFY 2 EQUAL", "1 2 3 ROT 1 EQUALVERIFY 2DROP 1",
                "1 2 SWAP 1 EQUALVERIFY 2 EQUAL", "1 2 TUCK 2 EQUALVERIFY 1 EQUALVERIFY 2 EQUAL",
                "0x0102 SIZE 2 EQUALVERIFY 0x0102 EQUAL", "0 SIZE NOT NIP",
            ], rules: [])
        for text in [
            "2DROP", "1 2DROP", "1 2DUP", "1 2 3DUP", "1 2 3 2OVER", "1 2 3 4 5 2ROT", "1 2 3 2SWAP", "IFDUP", "DROP",
            "DUP",
            "1 NIP", "1 OVER", "0 PICK", "1 1 PICK", "1 -1 PICK", "1 1 ROLL", "1 -1 ROLL", "1 2 ROT", "1 SWAP",
            "1 TUCK",
            "SIZE", "TOALT",
        ] { try expect(text, .stackTooShort) }
        try expect("FROMALT", .alternateStackEmpty)
        try await jury.agree()
    }

    @Test func flow() async throws {
        try expectTrue([
            "1 IF 1 ELSE 0 ENDIF", "0 IF 0 ELSE 1 ENDIF", "0 NOTIF 1 ELSE 0 ENDIF",
            "1 IF 1 ELSE 0 ELSE 1 ENDIF DEPTH 2 EQUALVERIFY DROP",
            "0 IF RETURN ENDIF 1", "0 IF 1 IF RETURN ELSE RETURN ENDIF RETURN ELSE 1 ENDIF",
            "1 IF 0 IF RETURN ELSE 1 ENDIF ENDIF",
            "1 1 VERIFY", "NOP 1", "0 IF VER RESERVED RESERVED1 RESERVED2 ENDIF 1", "0 IF #ff ENDIF 1",
        ])
        try expect("RETURN", .returned)
        try expect("0 VERIFY 1", .verifyFailed(Opcode(rawValue: 0x69)))
        for text in ["1 IF 1", "1 ENDIF", "1 ELSE", "1 IF ELSE 1"] {
            try expect(text, .unbalancedConditional)
        }
        for text in [
            "VER", "0 IF VERIF ENDIF 1", "0 IF VERNOTIF ENDIF 1", "RESERVED", "RESERVED1", "#bb", "#ff", "1 #05",
            "1 #4c",
        ] {
            try expect(text, .badOpcode)
        }
        for text in ["IF 1 ENDIF", "NOTIF 1 ENDIF"] { try expect(text, .stackTooShort) }
        try expect("2 IF 1 ENDIF", .conditionNotMinimal, rules: .minimalIf)
        try expectTrue(["2 IF 1 ENDIF"], rules: [])
        for text in [
            "CAT", "SUBSTR", "LEFT", "RIGHT", "INVERT", "AND", "OR", "XOR", "2MUL", "2DIV", "MUL", "DIV", "MOD",
            "LSHIFT", "RSHIFT",
        ] {
            try expect("0 IF \(text) ENDIF 1", .disabledOpcode)
        }
        try await jury.agree()
    }

    @Test func hashes() async throws {
        try expectTrue([
            "0 RIPEMD160 0x9c1185a5c5e9fc54612808977ee8f548b2258d31 EQUAL",
            "0 SHA1 0xda39a3ee5e6b4b0d3255bfef95601890afd80709 EQUAL",
            "0 SHA256 0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 EQUAL",
            "0 HASH160 0xb472a266d0bd89c13706a4132ccfb16f7c3b9fcb EQUAL",
            "0 HASH256 0x5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456 EQUAL",
            "0x616263 SHA1 0xa9993e364706816aba3e25717850c26c9cd0d89d EQUAL", "1 2 EQUAL NOT", "1 1 EQUALVERIFY 1",
        ])
        try expect("1 2 EQUALVERIFY 1", .verifyFailed(Opcode(rawValue: 0x88)))
        for word in ["RIPEMD160", "SHA1", "SHA256", "HASH160", "HASH256"] { try expect(word, .stackTooShort) }
        for word in ["EQUAL", "EQUALVERIFY"] { try expect("1 \(word)", .stackTooShort) }
        try await jury.agree()
    }

    @Test func lockTimes() async throws {
        func result(_ text: String, version: UInt32 = 2, lockTime: UInt32 = 0, sequence: UInt32 = 0) throws
            -> ScriptFailure?
        {
            try run(text, rules: .cleanStack, version: version, lockTime: lockTime, sequence: sequence)
        }
        #expect(try result("16 CLTV", lockTime: 16) == nil)
        #expect(try result("16 CLTV", lockTime: 17) == nil)
        #expect(try result("16 CLTV", lockTime: 15) == .lockTimeNotReached)
        #expect(try result("16 CLTV", lockTime: 16, sequence: 0xFFFF_FFFF) == .lockTimeNotReached)
        #expect(try result("16 CLTV", lockTime: 500_000_016) == .lockTimeNotReached)
        #expect(try result("500000016 CLTV", lockTime: 500_000_016) == nil)
        #expect(try result("4294967295 CLTV", lockTime: 0xFFFF_FFFF) == nil)
        #expect(try result("-1 CLTV") == .negativeLockTime)
        #expect(try result("0x010000000000 CLTV") == .numberTooLong)
        #expect(try result("CLTV") == .stackTooShort)
        #expect(try result("16 CSV", sequence: 16) == nil)
        #expect(try result("16 CSV", sequence: 15) == .lockTimeNotReached)
        #expect(try result("16 CSV", version: 1, sequence: 16) == .lockTimeNotReached)
        #expect(try result("16 CSV", sequence: 0x8000_0010) == .lockTimeNotReached)
        #expect(try result("16 CSV", sequence: 0x0040_0010) == .lockTimeNotReached)
        #expect(try result("4194320 CSV", sequence: 0x0040_0010) == nil)
        #expect(try result("2147483664 CSV") == nil)
        #expect(try result("-1 CSV") == .negativeLockTime)
        #expect(try result("CSV") == .stackTooShort)
        try await jury.agree()
    }

    @Test func spareOperations() async throws {
        for word in ["NOP1", "NOP4", "NOP5", "NOP6", "NOP7", "NOP8", "NOP9", "NOP10"] {
            try expectTrue(["1 \(word)"], rules: .cleanStack)
            try expect("1 \(word)", .upgradableNop, rules: .noUpgradable)
            try expectTrue(["0 IF \(word) ENDIF 1"], rules: .noUpgradable)
        }
        #expect(ScriptFailure.upgradableNop.isUpgradable)
        #expect(!ScriptFailure.returned.isUpgradable)
        try await jury.agree()
    }

    @Test func limits() async throws {
        func repeated(_ bytes: String, _ count: Int) -> String { "#" + String(repeating: bytes, count: count) }
        try expectTrue(["1 " + repeated("61", 201), "1 " + repeated("61", 9_000).prefix(1 + 2 * 201)])
        try expect("1 " + repeated("61", 202), .tooManyOperations)
        try expect("1 0 IF " + repeated("61", 200) + " ENDIF", .tooManyOperations)
        try expect("0 0 0 0 0 0 0 0 0 20 CHECKMULTISIG", .stackTooShort)
        try expect("1 " + repeated("00", 1_000), .tooManyItems)
        #expect(try run("1 " + repeated("51", 999), rules: []) == nil)
        try expect("1 " + repeated("51", 999) + " TOALT 1 1", .tooManyItems)
        try expectTrue(["0x" + String(repeating: "01", count: 520)])
        try expect("0 IF 0x" + String(repeating: "01", count: 521) + " ENDIF 1", .itemTooLong)
        #expect(try run(repeated("02aaaa75", 2_499) + " 1 #616161", rules: []) == .tooManyOperations)
        try expect(
            repeated("4d0802" + String(repeating: "aa", count: 520), 19) + " " + repeated("00", 64), .scriptTooLong)
        try expect("21 CHECKMULTISIG", .keyCount)
        try expect("-1 CHECKMULTISIG", .keyCount)
        try expect("0 2 0 1 CHECKMULTISIG", .signatureCount)
        try expectTrue(["0 0 0 CHECKMULTISIG", "0 0 0x01 0x02 2 CHECKMULTISIG"], rules: [])
        try expect("1 0 0 CHECKMULTISIG", .multisigDummyNotEmpty)
        try expect("1 1 CHECKSIGADD", .badOpcode)
        try await jury.agree()
    }

    @Test func minimalPushes() async throws {
        for text in ["#0101", "#0110", "#0181", "#4c0105", "#4c021122", "#4d02001122", "#4e020000001122", "#4c00"] {
            try expect("\(text) DROP 1", .notMinimal, rules: .minimalData)
            try expectTrue(["\(text) DROP 1", "0 IF \(text) ENDIF 1"], rules: .cleanStack)
        }
        try expectTrue(["#0100 DROP 1", "#0111 DROP 1", "#0180 DROP 1"], rules: .minimalData)
        try await jury.agree()
    }

    @Test func aNestedWitnessScriptFitsItsProgram() async throws {
        let redeemScript = Script([0x00, 0x20] + SHA256.hash([0x51]))
        let output = TransactionOutput(amount: .zero, scriptPubKey: .p2sh(redeemScript))
        let id = try #require(TransactionID([UInt8](repeating: 1, count: 32)))
        // Both leave one true item.
        for (script, failure) in [([0x51], nil), ([0x52], .witnessMismatch)] as [([UInt8], ScriptFailure?)] {
            let input = TransactionInput(
                outpoint: Outpoint(transactionID: id, index: 0), scriptSig: Script(pushing: [redeemScript.bytes]),
                witness: [script])
            let transaction = Transaction(inputs: [input], outputs: [])
            #expect(jury.failure(transaction, spending: [output], rules: [], "witness script \(script)") == failure)
        }
        try await jury.agree()
    }

    private func expectTrue(_ texts: [String], rules: ScriptRules = [.cleanStack, .minimalIf]) throws {
        for text in texts {
            #expect(try run(text, rules: rules.union(.cleanStack)) == nil, "\(text.prefix(80))")
        }
    }

    private func expect(_ text: String, _ failure: ScriptFailure, rules: ScriptRules = []) throws {
        #expect(try run(text, rules: rules) == failure, "\(text.prefix(80))")
    }

    /// Runs a script as an output's, with an empty scriptSig.
    private func run(
        _ text: String, rules: ScriptRules, version: UInt32 = 2, lockTime: UInt32 = 0, sequence: UInt32 = 0
    ) throws -> ScriptFailure? {
        let id = try #require(TransactionID([UInt8](repeating: 1, count: 32)))
        let transaction = Transaction(
            version: version,
            inputs: [TransactionInput(outpoint: Outpoint(transactionID: id, index: 0), sequence: sequence)],
            outputs: [], lockTime: lockTime)
        let output = TransactionOutput(amount: .zero, scriptPubKey: try ScriptAssembly.script(text))
        return jury.failure(transaction, spending: [output], rules: rules, String(text.prefix(80)))
    }
}
