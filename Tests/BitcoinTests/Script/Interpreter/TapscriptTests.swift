import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

/// Core judges all of it, too.
@Suite final class TapscriptTests {
    private var jury = ScriptJury()

    @Test func deepConditionsRun() async throws {
        let depth = 100_000
        let text = "#" + String(repeating: "5163", count: depth) + String(repeating: "68", count: depth) + " 1"
        #expect(try failure(text) == nil)
        #expect(try failure(text + " ENDIF") == .unbalancedConditional)
        let skipped =
            "0 IF #" + String(repeating: "6367", count: depth) + String(repeating: "68", count: depth) + " ENDIF 1"
        #expect(try failure(skipped) == nil)
        try await jury.agree()
    }

    @Test func thereAreNoOtherLimitsThanTheStack() async throws {
        #expect(try failure("1 #" + String(repeating: "61", count: 20_000)) == nil)
        #expect(try failure("1 #" + String(repeating: "00", count: 1_000)) == .tooManyItems)
        #expect(try failure("1", items: [[UInt8]](repeating: [], count: 1_001)) == .tooManyItems)
        #expect(try failure("1", items: [[UInt8](repeating: 0, count: 521)]) == .itemTooLong)
        #expect(try failure("DROP 1", items: [[UInt8](repeating: 0, count: 520)]) == nil)
        try await jury.agree()
    }

    @Test func rulesOfTapscript() async throws {
        #expect(try failure("0 0 0 CHECKMULTISIG") == .multisigInTapscript)
        #expect(try failure("IF 1 ENDIF", items: [[2]]) == .conditionNotMinimal)
        #expect(try failure("0 0 CHECKSIG") == .publicKeyType)
        let key = "0x" + String(repeating: "79", count: 32)
        #expect(try failure("0 \(key) CHECKSIG NOT") == nil)
        #expect(try failure("0 5 \(key) CHECKSIGADD 5 EQUAL") == nil)
        #expect(try failure("1 \(key) CHECKSIG") == .schnorrLength)
        #expect(try failure("0x" + String(repeating: "01", count: 64) + " \(key) CHECKSIG") == .schnorrInvalid)
        #expect(try failure("1 5 0x0102 CHECKSIGADD 6 EQUAL") == nil)
        #expect(try failure("1 5 0x0102 CHECKSIGADD 6 EQUAL", rules: .noUpgradable) == .upgradablePublicKeyType)
        #expect(try failure("0 CAT") == nil)
        #expect(try failure("0 CAT", rules: .noUpgradable) == .upgradableSuccess)
        #expect(try failure("0 #bb #05") == nil)
        #expect(try failure("0 #05 #bb") == .badOpcode)
        #expect(try failure("1", leafVersion: 0xC2) == nil)
        #expect(try failure("0", leafVersion: 0xC2) == nil)
        #expect(try failure("1", leafVersion: 0xC2, rules: .noUpgradable) == .upgradableLeafVersion)
        try await jury.agree()
    }

    @Test func successIsKnown() async throws {
        for byte in UInt8(80)...254 where [80, 98].contains(byte) || (187...254).contains(byte) {
            #expect(try failure("0 #" + Hex.encode([byte])) == nil, "\(byte)")
        }
        for byte: UInt8 in [101, 102, 136, 255] { #expect(try failure("0 #" + Hex.encode([byte])) != nil) }
        try await jury.agree()
    }

    /// Every check costs 50; the witness pays with its bytes, and every input with 50 more.
    @Test func signatureChecksArePaidFor() async throws {
        let check = "1 0x0102 CHECKSIGVERIFY "
        #expect(try failure(check + "1") == nil)
        #expect(try failure(check + check + "1") == .signatureBudgetExceeded)
        // One byte decides.
        #expect(try failure("DROP " + check + check + "1", items: [[]]) == .signatureBudgetExceeded)
        #expect(try failure("DROP " + check + check + "1", items: [[0]]) == nil)
        #expect(try failure(String(repeating: "0 0x0102 CHECKSIG DROP ", count: 100) + "1") == nil)
        try await jury.agree()
    }

    @Test func controlBlocksMustLead() async throws {
        let (script, control) = (try ScriptAssembly.script("1"), try leaf("1"))
        #expect(try run(control.output, [script.bytes, control.block]) == nil)
        for change in control.block.indices {
            var block = control.block
            block[change] ^= 1
            #expect(try run(control.output, [script.bytes, block]) == .witnessMismatch)
        }
        #expect(try run(control.output, [[0x52], control.block]) == .witnessMismatch)
        #expect(try run(control.output, [script.bytes, control.block + [0]]) == .controlBlockLength)
        #expect(
            try run(control.output, [script.bytes, control.block + [UInt8](repeating: 0, count: 32)])
                == .witnessMismatch)
        let deep = control.block + [UInt8](repeating: 0, count: 129 * 32)
        #expect(try run(control.output, [script.bytes, deep]) == .controlBlockLength)
        #expect(try run(control.output, [script.bytes, control.block, [0x50, 1, 2]]) == nil)
        #expect(try run(control.output, []) == .witnessEmpty)
        #expect(try run(control.output, [[]]) == .schnorrLength)
        try await jury.agree()
    }

    private func failure(
        _ text: String, items: [[UInt8]] = [], leafVersion: UInt8 = 0xC0, rules: ScriptRules = []
    ) throws -> ScriptFailure? {
        let leaf = try leaf(text, leafVersion: leafVersion)
        return try run(leaf.output, items + [try ScriptAssembly.script(text).bytes, leaf.block], rules: rules)
    }

    private func run(_ output: Script, _ witness: [[UInt8]], rules: ScriptRules = []) throws -> ScriptFailure? {
        let id = try #require(TransactionID([UInt8](repeating: 1, count: 32)))
        let input = TransactionInput(outpoint: Outpoint(transactionID: id, index: 0), witness: witness)
        let spent = TransactionOutput(amount: .zero, scriptPubKey: output)
        return jury.failure(Transaction(inputs: [input], outputs: []), spending: [spent], rules: rules)
    }

    /// A taproot output whose only leaf is a script, and the control block that leads there.
    private func leaf(_ text: String, leafVersion: UInt8 = 0xC0) throws -> (output: Script, block: [UInt8]) {
        let script = try ScriptAssembly.script(text).bytes
        var message = [leafVersion]
        message.appendSized(script)
        let root = SHA256.taggedHash("TapLeaf", message)
        let internalKey = Array(try BIP137Tests.key(3).publicKey.bytes.dropFirst())
        let output = Script.p2tr(try TaprootOutputKey(internalKey: internalKey, merkleRoot: root))
        // Of the two parities that the output key may have, the wrong one does not lead to the leaf.
        let block = [leafVersion] + internalKey
        let isEven = try run(output, [script, block]) != .witnessMismatch
        return (output, isEven ? block : [leafVersion | 1] + internalKey)
    }
}
