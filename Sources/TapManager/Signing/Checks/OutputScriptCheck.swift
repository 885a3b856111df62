import Bitcoin

/// Outputs that nobody can spend, that nobody may relay, or whose script says nothing to us.
struct OutputScriptCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        context.transaction.outputs.enumerated().compactMap { finding(output: $0.offset, $0.element) }
    }

    private func finding(output index: Int, _ output: TransactionOutput) -> Finding? {
        let subject = Finding.Subject.output(index)
        switch ScriptTemplate(output.scriptPubKey) {
        case .nullData:
            guard output.value != 0 else { return nil }
            return Finding(
                .refusal, .moneyInNullData, subject, "\(output.value) sat in OP_RETURN would be lost for ever.")
        case .nonStandard where output.scriptPubKey.bytes.first == Opcode.return.rawValue && output.value != 0:
            return Finding(
                .refusal, .moneyInNullData, subject, "\(output.value) sat in OP_RETURN would be lost for ever.")
        case .p2tr(let key) where (try? PublicKey([0x02] + key)) == nil:
            return Finding(
                .warning, .outputUnspendable, subject, "nobody can spend this taproot output: its key is no point.")
        case .nonStandard where output.scriptPubKey.isProvablyUnspendable:
            return Finding(.warning, .outputUnspendable, subject, "nobody can spend this script.")
        case .nonStandard, .futureWitness:
            return Finding(
                .warning, .outputUnknown, subject,
                "tapkit does not know what this script demands: \(output.scriptPubKey.abbreviated).")
        default:
            guard output.isDust else { return nil }
            return Finding(
                .warning, .outputDust, subject,
                "\(output.value) sat is dust (below \(output.dustLimit.satoshis) sat): nodes will not relay it.")
        }
    }
}
