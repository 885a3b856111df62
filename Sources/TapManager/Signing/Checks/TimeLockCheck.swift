import Bitcoin

/// When the transaction becomes valid, and whether it can be replaced.
///
/// Spec: BIP-65 (lock time), BIP-68 (relative locks), BIP-125 (replaceability).
struct TimeLockCheck: SigningCheck {
    /// If all inputs have it, the lock time does not apply.
    static let finalSequence: UInt32 = 0xFFFF_FFFF
    /// From this value on, a lock time is seconds since 1970; below, a block height.
    static let firstTimestamp: UInt32 = 500_000_000

    func findings(in context: SigningContext) -> [Finding] {
        let transaction = context.transaction
        var findings: [Finding] = []
        if transaction.lockTime > 0, transaction.inputs.contains(where: { $0.sequence != Self.finalSequence }) {
            let moment =
                transaction.lockTime < Self.firstTimestamp
                ? "block \(transaction.lockTime)" : "\(transaction.lockTime) seconds since 1970"
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
        guard sequence & 1 << 31 == 0, sequence & 0xFFFF != 0 else { return nil }
        let value = sequence & 0xFFFF
        return sequence & 1 << 22 == 0 ? value.counted("block") : "\(value * 512) seconds"
    }
}
