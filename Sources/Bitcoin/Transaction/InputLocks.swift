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

    /// Whether `older` with this number is satisfied.
    ///
    /// Spec: BIP-112.
    public func meets(older number: UInt32) -> Bool {
        version >= 2 && sequence & TimeLock.disableFlag == 0
            && sequence & TimeLock.typeFlag == number & TimeLock.typeFlag
            && sequence & TimeLock.mask >= number & TimeLock.mask
    }

    /// Whether `after` with this number is satisfied.
    ///
    /// Spec: BIP-65.
    public func meets(after number: UInt32) -> Bool {
        sequence != TimeLock.final && lockTime >= number
            && (lockTime < TimeLock.firstDate) == (number < TimeLock.firstDate)
    }
}
