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
        try await NodeJury.expectTaken([try Transaction(serialized: Hex.decode(hex))], at: location)
    }

    /// The same of the transaction in a program's answer, if there is one.
    /// - Returns: the run.
    static func judged(_ run: Subprocess) async throws -> Subprocess {
        guard run.status == 0, run.text.contains(#""tx""#), let answer = try? run.json() else { return run }
        if let hex = answer["tx"] as? String { try await expectTaken(hex) }
        return run
    }
}
