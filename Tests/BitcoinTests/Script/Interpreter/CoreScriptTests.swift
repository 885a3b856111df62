import ByteCodec
import Foundation
import TestSupport
import Testing

@testable import Bitcoin

/// Bitcoin Core's `script_tests.json`: every script, each with its flags, and the error that Core finds.
@Suite struct CoreScriptTests {
    private static let file = LedgeredFile.coreScripts

    @Test func everyScriptEndsAsInCore() async throws {
        var ledger = try VectorLedger(Self.file)
        var jury = ScriptJury()
        var errors = Set<String>()
        for (number, row) in try Vectors.arrays(Self.file.path) {
            var row = row
            var witness: [Any] = []
            if let first = row.first as? [Any] {
                witness = first
                row.removeFirst()
            }
            let fields = try #require(row.prefix(4).map { $0 as? String } as? [String], "row \(number)")
            let (flags, expected) = (fields[2].split(separator: ",").map(String.init), fields[3])
            var rules = ScriptRules()
            var unknown: [String] = []
            for flag in flags where !ScriptRules.consensusFlags.contains(flag) {
                if let rule = ScriptRules.flags[flag] { rules.insert(rule) } else { unknown.append(flag) }
            }
            #expect(unknown.isEmpty || unknown == ["SIGPUSHONLY"])
            let spend = try Self.spend(witness: witness, scriptSig: fields[0], scriptPubKey: fields[1])
            let found = jury.failure(spend.transaction, spending: [spend.output], rules: rules, "row \(number)")
            ledger.enter(
                "\(number)", CoreScriptError.name(of: found), expected: CoreScriptError.coarse(expected))
            errors.insert(expected)
        }
        ledger.close(count: 1233)
        #expect(errors.count == 42)
        // What is not followed for want of a switch is judged by Core under our rules, too.
        try await jury.agree()
    }

    /// Spec: Bitcoin Core, `script_tests.cpp`, `BuildCreditingTransaction`, `BuildSpendingTransaction`.
    private static func spend(
        witness: [Any], scriptSig: String, scriptPubKey: String
    ) throws -> (transaction: Transaction, output: TransactionOutput) {
        var items: [[UInt8]] = []
        var outputKey: [UInt8] = []
        for item in try #require(Array(witness.dropLast()) as? [String]) {
            if item.hasPrefix("#SCRIPT#") {
                items.append(try CoreScript.script(String(item.dropFirst("#SCRIPT#".count))).bytes)
            } else if item == "#CONTROLBLOCK#" {
                let leaf = TaprootLeaf.hash(version: 0xC0, script: try #require(items.last))
                let key = try TaprootOutputKey.tweak(internalKey: try unspendableKey, merkleRoot: leaf)
                outputKey = key.bytes
                items.append([key.isOdd ? 0xC1 : 0xC0] + (try unspendableKey))
            } else {
                items.append(try Hex.decode(item))
            }
        }
        let script = try CoreScript.script(
            scriptPubKey.replacingOccurrences(of: "#TAPROOTOUTPUT#", with: "0x" + Hex.encode(outputKey)))
        let bitcoins = (witness.last as? NSNumber)?.doubleValue ?? 0
        let output = TransactionOutput(value: Int64((bitcoins * 100_000_000).rounded()), scriptPubKey: script)
        let nothing = Outpoint(
            transactionID: try #require(TransactionID([UInt8](repeating: 0, count: 32))), index: .max)
        let credit = Transaction(
            version: 1, inputs: [TransactionInput(outpoint: nothing, scriptSig: Script([0, 0]))], outputs: [output])
        let input = TransactionInput(
            outpoint: Outpoint(transactionID: credit.id, index: 0), scriptSig: try CoreScript.script(scriptSig),
            witness: items)
        let spending = Transaction(
            version: 1, inputs: [input], outputs: [TransactionOutput(value: output.value, scriptPubKey: Script())])
        return (spending, output)
    }

    /// Spec: BIP-341, the point H.
    private static var unspendableKey: [UInt8] {
        get throws { try Hex.decode("50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0") }
    }
}
