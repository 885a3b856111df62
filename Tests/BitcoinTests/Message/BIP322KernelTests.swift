import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

/// The virtual transactions of BIP-322's vectors, valid and not, as Bitcoin Core's code judges them.
@Suite struct BIP322KernelTests {
    @Test func everySignatureIsJudgedAsByCore() async throws {
        var jury = ScriptJury()
        var valid = 0
        for row in try Vectors.load(MessageVectors.file) {
            let signatures: [String]
            switch row.kind {
            case "bip322_simple", "bip322_full", "bip322_proof_of_funds": signatures = try row.texts("signatures")
            case "bip322_error": signatures = [row["signature"] ?? ""]
            default: continue
            }
            for text in signatures {
                guard let signature = try? MessageSignature(text: text), let address: String = row["address"],
                    let script = try? UncheckedAddress(parsing: address).scriptPubKey
                else { continue }
                let message = Array(try row.text("message").utf8)
                let failures = judge(signature, of: message, by: script, &jury, row.testDescription)
                let isValid = SignedMessage.verify(message: message, scriptPubKey: script, signature: text).isValid
                if isValid { #expect(failures.allSatisfy { $0 == nil }, "\(row.testDescription): \(failures)") }
                if isValid { valid += 1 }
            }
        }
        #expect(valid >= 20)
        #expect(jury.count >= 40)
        try await jury.agree()
    }

    /// Runs every input by the rules that BIP-322 requires.
    private func judge(
        _ signature: MessageSignature, of message: [UInt8], by script: Script, _ jury: inout ScriptJury,
        _ comment: String
    ) -> [ScriptFailure?] {
        let verification = BIP322Verification(message: message, scriptPubKey: script)
        let rules = [BIP322Verification.requiredRules, []]
        switch signature {
        case .bip137: return []
        case .simple(let witness, _):
            var toSign = BIP322.toSign(spending: verification.toSpend)
            toSign.inputs[0].witness = witness
            return jury.judge(toSign, spending: verification.toSpend.outputs, under: rules, comment)
        case .full(let toSign):
            guard toSign.inputs.count == 1 else { return [] }
            return jury.judge(toSign, spending: verification.toSpend.outputs, under: rules, comment)
        case .proofOfFunds(var psbt):
            // What the first input spends goes without saying.
            if (try? psbt.spentOutput(ofInput: 0)) == nil {
                psbt[input: 0].witnessUTXO = verification.toSpend.outputs[0]
            }
            // A previous transaction may be there but once, at any of the inputs that spend it.
            let previous = psbt.inputs.compactMap(\.nonWitnessUTXO)
            for index in psbt.inputs.indices where (try? psbt.spentOutput(ofInput: index)) == nil {
                let id = psbt.unsignedTransaction.inputs[index].outpoint.transactionID
                psbt[input: index].nonWitnessUTXO = previous.first { $0.txid == id }
            }
            return psbt.inputs.indices.flatMap { jury.judge(psbt, input: $0, under: rules, comment) }
        }
    }
}
