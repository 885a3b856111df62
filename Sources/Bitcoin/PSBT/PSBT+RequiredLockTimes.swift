extension PSBT {
    /// Whether an input can only be spent with a lock time: each spending path of its witness script that the transaction
    /// opens has an absolute lock.
    ///
    /// Spec: BIP-65; BIP-379.
    private func needsLockTime(_ index: Int) -> Bool {
        guard unsignedTransaction.lockTime > 0, let script = inputs[index].witnessScript,
            let paths = Miniscript(script).flatMap({ SpendingPolicy($0).paths })
        else { return false }
        let locks = InputLocks(unsignedTransaction, unsignedTransaction.inputs[index])
        let open = paths.filter { $0.isOpen(locks) }
        return !open.isEmpty && open.allSatisfy { $0.lockTime != nil }
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
