import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// Independent script engines, and a real node.
enum Judges {
    /// Expects that each of them finds the complete transaction in the answer of a signing verb valid.
    static func expectValid(_ answer: [String: Any], at location: SourceLocation = #_sourceLocation) async throws {
        let psbt = try PSBT(fileContent: Array(answer.text("psbt").utf8))
        let spent = try psbt.inputs.indices.map { index -> [String: Any] in
            let output = try psbt.spentOutput(ofInput: index)
            return ["amount_sat": output.value, "script": output.scriptPubKey.description]
        }
        let verdicts = try await PythonEnvironment.shared().run(
            "verify_tx.py", ["tx": try answer.text("tx"), "spent": spent])
        #expect(!verdicts.isEmpty, sourceLocation: location)
        for (judge, verdict) in verdicts {
            #expect(verdict as? Bool == true, "\(judge): \(verdict)", sourceLocation: location)
        }
        try await expectTaken(try answer.text("tx"), at: location)
    }

    /// Expects that the node that tests share finds nothing against a transaction, whose coins may be made up, or another
    /// chain's.
    static func expectTaken(_ hex: String, at location: SourceLocation = #_sourceLocation) async throws {
        let transaction = try Transaction(serialized: Hex.decode(hex))
        // Its lock time may be ahead of this chain. A node says so like of coins that it misses: after it has judged what
        // stands in the transaction alone.
        let node = try await BitcoinNode.shared()
        let height = try await node.call("getblockcount", as: Int.self)
        if try await node.refusal(of: transaction) == "non-final" {
            #expect(transaction.lockTime > height && transaction.lockTime < 500_000_000, sourceLocation: location)
            return
        }
        try await NodeJury.expectTaken([transaction], at: location)
    }
}
