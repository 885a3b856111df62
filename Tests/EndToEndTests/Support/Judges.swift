import Bitcoin
import Foundation
import TestSupport
import Testing

/// Independent script engines.
enum Judges {
    /// Expects that every one of them finds the complete transaction in the answer of a signing verb valid.
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
    }
}
