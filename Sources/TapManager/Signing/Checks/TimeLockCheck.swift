import Bitcoin

/// When the transaction becomes valid, and whether it can be replaced.
///
/// Spec: BIP-65 (lock time), BIP-68 (relative locks), BIP-125 (replaceability).
struct TimeLockCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        let transaction = context.transaction
        var findings: [Finding] = []
        if transaction.lockTime > 0, transaction.inputs.contains(where: { $0.sequence != TimeLock.final }) {
            let moment =
                TimeLock.isDate(transaction.lockTime)
                ? UnixTime(seconds: Int64(transaction.lockTime)).iso8601 : "block \(transaction.lockTime)"
            findings.append(Finding(.notice, .lockTime, .transaction, "Valid only after \(moment) (lock time)."))
        }
        if transaction.version >= 2 {
            findings += transaction.inputs.enumerated().compactMap { index, input in
                Self.relativeLock(input.sequence).map {
                    Finding(
                        .notice, .relativeLock, context.subject(input: index),
                        "valid only \($0) after its coin is confirmed.")
                }
            }
        }
        if transaction.inputs.contains(where: { $0.sequence < 0xFFFF_FFFE }) {
            findings.append(
                Finding(.notice, .replaceable, .transaction, "Signals that it may be replaced (BIP-125)."))
        }
        return findings
    }

    private static func relativeLock(_ sequence: UInt32) -> String? {
        guard let count = TimeLock.relative(sequence), count > 0 else { return nil }
        return TimeLock.isTime(sequence)
            ? "\(Int64(count) * TimeLock.secondsPerUnit) seconds" : count.counted("block")
    }
}
