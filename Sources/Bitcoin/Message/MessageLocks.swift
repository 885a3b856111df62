/// The time T and the age S of BIP-322's verdict "valid at time T and age S".
///
/// Spec: BIP-322, "Verification"; BIP-65, BIP-68, BIP-112 for their meaning.
public struct MessageLocks: Hashable, Sendable {
    /// When a lock expires.
    public enum Lock: Hashable, Sendable {
        /// At a block height (time), or so many blocks after the output's (age).
        case blocks(UInt32)
        /// At a time in seconds since 1970 (time), or so many seconds after the output's block (age).
        case seconds(UInt32)
    }

    /// No locks, in a transaction of version 0: every simple signature.
    public static let none = Self(version: 0, lockTime: 0, sequence: 0)

    /// The version of the virtual transaction.
    public let version: UInt32
    /// T: its raw nLockTime.
    public let lockTime: UInt32
    /// S: the raw nSequence of its first input.
    public let sequence: UInt32

    /// The time from which the signature is valid; `nil` when it is valid at any time.
    public var time: Lock? {
        guard lockTime > 0 else { return nil }
        return TimeLock.isDate(lockTime) ? .seconds(lockTime) : .blocks(lockTime)
    }

    /// How old an output of the address must be for the signature to be valid; `nil` when it may have any age.
    public var age: Lock? {
        guard version >= 2, let count = TimeLock.relative(sequence), count > 0 else { return nil }
        return TimeLock.isTime(sequence) ? .seconds(UInt32(TimeLock.secondsPerUnit) * count) : .blocks(count)
    }

    /// Whether the signature is valid at any time and age.
    public var isEmpty: Bool { time == nil && age == nil }

    init(version: UInt32, lockTime: UInt32, sequence: UInt32) {
        self.version = version
        self.lockTime = lockTime
        self.sequence = sequence
    }
}
