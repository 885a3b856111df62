/// How numbers of a transaction and of scripts say lock times: a sequence number a relative one, a lock time an absolute one.
///
/// Spec: BIP-68, BIP-112 (relative); BIP-65, Bitcoin Core, `LOCKTIME_THRESHOLD` (absolute).
package enum TimeLock {
    /// In a sequence number: if set, there is no relative lock time.
    static let disableFlag: UInt32 = 1 << 31
    /// In a sequence number: if set, it counts units of time; otherwise blocks.
    package static let typeFlag: UInt32 = 1 << 22
    /// In a sequence number: the bits of the count.
    package static let mask: UInt32 = 0xFFFF
    /// The unit of relative lock times that are not in blocks, in seconds.
    package static let secondsPerUnit: Int64 = 512
    /// How long a block takes on average, in seconds.
    package static let secondsPerBlock: Int64 = 600
    /// An absolute lock time below this is a block height; from here on, it is in seconds since 1970.
    package static let firstDate: UInt32 = 500_000_000
    /// The sequence number of an input that ignores lock times.
    package static let final: UInt32 = 0xFFFF_FFFF

    /// Whether a relative lock time is one of time, and not of blocks.
    package static func isTime(_ sequence: UInt32) -> Bool { sequence & typeFlag != 0 }

    /// How many blocks, or units of time, a relative lock time counts.
    package static func count(_ sequence: UInt32) -> UInt32 { sequence & mask }

    /// Whether an absolute lock time is one of time, and not a height.
    package static func isDate(_ lockTime: UInt32) -> Bool { lockTime >= firstDate }

    /// The count of a sequence number's relative lock time, which may be 0; `nil` if it has none.
    package static func relative(_ sequence: UInt32) -> UInt32? {
        sequence & disableFlag == 0 ? count(sequence) : nil
    }

    /// Whether a number of `older` says something that does not count, or nothing that does.
    static func isIneffective(_ sequence: UInt32) -> Bool { sequence & ~(typeFlag | mask) != 0 || count(sequence) == 0 }
}
