import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// Bitcoin Core's `tx_valid.json` and `tx_invalid.json`: whole transactions with what they spend.
@Suite struct CoreTransactionTests {
    /// Valid under every flag but those that a row names.
    @Test func validTransactionsAreValid() async throws {
        let file = LedgeredFile.coreValidTransactions
        var ledger = try VectorLedger(file)
        var jury = ScriptJury()
        for (number, row) in try Vectors.arrays(file.path) {
            let (spent, bytes, excluded) = try Self.fields(row)
            let rules = ScriptRules.flags.reduce(into: ScriptRules.standard) { rules, flag in
                if excluded.contains(flag.key) { rules.subtract(flag.value) }
            }
            let transaction = try Transaction(serialized: bytes)
            let outputs = try Self.outputs(of: transaction, in: spent)
            var faults: [String] = []
            for index in transaction.inputs.indices {
                // And the fewer rules, the more is valid.
                let failures = jury.judge(
                    transaction, spending: outputs, input: index, under: [rules, []], "row \(number), input \(index)")
                for failure in failures { if let failure { faults.append("input \(index): \(failure)") } }
            }
            ledger.enter("\(number)", fault: faults.isEmpty ? nil : faults.joined(separator: "; "))
        }
        ledger.close(count: 121)
        try await jury.agree()
    }

    /// Invalid under the flags that a row names, and all others.
    @Test func invalidTransactionsAreRefused() async throws {
        let file = LedgeredFile.coreInvalidTransactions
        var ledger = try VectorLedger(file)
        var jury = ScriptJury()
        for (number, row) in try Vectors.arrays(file.path) {
            let (spent, bytes, flags) = try Self.fields(row)
            let rules = flags.reduce(into: ScriptRules()) { $0.formUnion(ScriptRules.flags[$1] ?? []) }
            guard let transaction = try? Transaction(serialized: bytes) else {
                ledger.enter("\(number)", fault: nil)
                continue
            }
            let outputs = try Self.outputs(of: transaction, in: spent)
            var isRefused = false
            for index in transaction.inputs.indices {
                let failures = jury.judge(
                    transaction, spending: outputs, input: index, under: [rules, rules.union(.standard)],
                    "row \(number), input \(index)")
                if failures.allSatisfy({ $0 != nil }) { isRefused = true }
            }
            ledger.enter("\(number)", fault: isRefused ? nil : "is valid")
        }
        ledger.close(count: 93)
        try await jury.agree()
    }

    private static func fields(_ row: [Any]) throws -> (spent: [[Any]], bytes: [UInt8], flags: Set<String>) {
        let spent = try #require(row[0] as? [[Any]])
        let flags = try #require(row[2] as? String).split(separator: ",").map(String.init)
        let known = ScriptRules.consensusFlags.union(ScriptRules.flags.keys)
        #expect(Set(flags).subtracting(known).isSubset(of: ["NONE", "BADTX", "SIGPUSHONLY"]))
        return (spent, try Hex.decode(try #require(row[1] as? String)), Set(flags))
    }

    /// What the inputs spend, in their order.
    private static func outputs(of transaction: Transaction, in spent: [[Any]]) throws -> [TransactionOutput] {
        var outputs: [Outpoint: TransactionOutput] = [:]
        for row in spent {
            let text = try #require(row[0] as? String)
            let id = try #require(TransactionID(parsing: text))
            let index = try #require(row[1] as? NSNumber).int64Value
            outputs[Outpoint(transactionID: id, index: UInt32(truncatingIfNeeded: index))] = TransactionOutput(
                value: row.count > 3 ? try #require(row[3] as? NSNumber).int64Value : 0,
                scriptPubKey: try CoreScript.script(try #require(row[2] as? String)))
        }
        return try transaction.inputs.map { try #require(outputs[$0.outpoint]) }
    }
}
