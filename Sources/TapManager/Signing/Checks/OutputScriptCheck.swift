import Bitcoin

/// Outputs that cannot be spent, that nodes do not relay, or whose script is unknown.
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
                .refusal, .moneyInNullData, subject, "\(output.value) sat in OP_RETURN would be lost forever.")
        case .nonStandard where output.scriptPubKey.bytes.first == Opcode.return.rawValue && output.value != 0:
            return Finding(
                .refusal, .moneyInNullData, subject, "\(output.value) sat in OP_RETURN would be lost forever.")
        case .p2tr(let key) where (try? PublicKey([0x02] + key)) == nil:
            return Finding(
                .warning, .outputUnspendable, subject,
                "nobody can spend this taproot output: its key is not a point on the curve.")
        case .p2pk(let key) where !isPoint(key):
            return Finding(
                .warning, .outputUnspendable, subject,
                "nobody can spend this output: its key is not a point on the curve."
            )
        case .multisig(let multisig) where multisig.keys.contains { !isPoint($0) }:
            let count = multisig.keys.count(where: isPoint)
            return Finding(
                .warning, .outputUnspendable, subject,
                count < multisig.threshold
                    ? "nobody can spend this multisig: only \(count) of its keys "
                        + "\(count == 1 ? "is a point" : "are points") on the curve, and it needs "
                        + "\(multisig.threshold)."
                    : "\(multisig.keys.count - count) of the \(multisig.keys.count) keys of this multisig can never "
                        + "sign: \(multisig.keys.count - count == 1 ? "it is not a point" : "they are not points") on "
                        + "the curve."
            )
        case .nonStandard where output.scriptPubKey.isProvablyUnspendable:
            // Without money in it, nothing is lost.
            return Finding(
                output.value == 0 ? .notice : .warning, .outputUnspendable, subject, "nobody can spend this script.")
        case .nonStandard, .futureWitness:
            return Finding(
                .warning, .outputUnknown, subject,
                "unknown script: \(output.scriptPubKey.abbreviated).")
        default:
            guard output.isDust else { return nil }
            return Finding(
                .warning, .outputDust, subject,
                "\(output.value) sat is dust (below \(output.dustLimit.satoshis) sat): nodes will not relay it.")
        }
    }

    /// Whether an encoding is a key that signatures can be checked with. Hybrid ones (06, 07) are, outside witnesses.
    private func isPoint(_ encoding: [UInt8]) -> Bool {
        guard let first = encoding.first else { return false }
        let isHybrid = first == 6 || first == 7
        return (try? PublicKey(isHybrid ? [0x04] + encoding.dropFirst() : encoding)) != nil
    }
}
