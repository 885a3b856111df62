extension PSBT {
    /// Whether an input can only be spent with a lock time: its witness script is open to the transaction, and would not be
    /// without its lock time.
    ///
    /// Spec: BIP-65; BIP-379.
    private func needsLockTime(_ index: Int) -> Bool {
        guard unsignedTransaction.lockTime > 0, let script = inputs[index].witnessScript,
            let policy = Miniscript(script).map({ SpendingPolicy($0) })
        else { return false }
        let input = unsignedTransaction.inputs[index]
        let withoutLockTime = InputLocks(
            version: unsignedTransaction.version, sequence: input.sequence, lockTime: 0)
        return !policy.opened(by: InputLocks(unsignedTransaction, input)).isNever
            && policy.opened(by: withoutLockTime).isNever
    }

    /// Says of the inputs that need a lock time that they require the transaction's. A lower one would often do; but what
    /// inputs require is what the transaction gets, and it must stay the same.
    ///
    /// Spec: BIP-370, "Determining Lock Time".
    mutating func addRequiredLockTimes() {
        let lockTime = unsignedTransaction.lockTime
        let type: PSBTInputType = TimeLock.isDate(lockTime) ? .requiredTimeLockTime : .requiredHeightLockTime
        for index in inputs.indices where needsLockTime(index) {
            inputs[index].map.insert([PSBTRecord(type.rawValue, number: lockTime)])
        }
    }
}
