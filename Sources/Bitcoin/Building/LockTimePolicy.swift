/// Which lock time a transaction gets.
public enum LockTimePolicy: Hashable, Sendable {
    /// This one: a block height below 500 000 000, else seconds since 1970.
    case fixed(UInt32)
    /// The height of the last block, so that nobody gains by mining the transaction into an earlier one. One time in ten it is
    /// up to 99 lower, so that delayed transactions do not stand out.
    ///
    /// Spec: Bitcoin Core, `DiscourageFeeSniping`.
    case discouragingFeeSniping(tip: UInt32)

    /// The lock time.
    func lockTime(using generator: inout some RandomNumberGenerator) -> UInt32 {
        switch self {
        case .fixed(let lockTime): return lockTime
        case .discouragingFeeSniping(let tip):
            let tip = min(tip, TimeLock.firstDate - 1)
            guard UInt32.random(in: 0..<10, using: &generator) == 0 else { return tip }
            return tip - min(tip, UInt32.random(in: 0..<100, using: &generator))
        }
    }
}
