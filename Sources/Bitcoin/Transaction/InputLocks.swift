/// The lock times that a transaction has for one of its inputs.
public struct InputLocks: Hashable, Sendable {
    private let version: UInt32
    private let sequence: UInt32
    private let lockTime: UInt32

    /// - Parameters:
    ///   - version: the transaction's.
    ///   - sequence: the input's.
    ///   - lockTime: the transaction's.
    public init(version: UInt32, sequence: UInt32, lockTime: UInt32) {
        (self.version, self.sequence, self.lockTime) = (version, sequence, lockTime)
    }

    /// Those of an input of a transaction.
    init(_ transaction: Transaction, _ input: TransactionInput) {
        self.init(version: transaction.version, sequence: input.sequence, lockTime: transaction.lockTime)
    }

    /// Whether the input cannot be in a block before its output is as old as this number says.
    ///
    /// Spec: BIP-112.
    public func meets(older number: UInt32) -> Bool {
        version >= 2 && sequence & TimeLock.disableFlag == 0 && TimeLock.isTime(sequence) == TimeLock.isTime(number)
            && TimeLock.count(sequence) >= TimeLock.count(number)
    }

    /// Whether the input has the least sequence number that meets `older` with this number.
    ///
    /// Spec: BIP-112.
    public func isExactly(older number: UInt32) -> Bool {
        meets(older: number) && TimeLock.count(sequence) == TimeLock.count(number)
    }

    /// Whether the transaction has the least lock time that meets `after` with this number.
    ///
    /// Spec: BIP-65.
    public func isExactly(after number: UInt32) -> Bool { meets(after: number) && lockTime == number }

    /// Whether the input cannot be in a block before the height or time that this number says.
    ///
    /// Spec: BIP-65.
    public func meets(after number: UInt32) -> Bool {
        sequence != TimeLock.final && lockTime >= number && TimeLock.isDate(lockTime) == TimeLock.isDate(number)
    }
}
