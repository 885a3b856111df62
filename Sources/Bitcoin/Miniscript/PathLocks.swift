/// The locks of a way to spend: the longest of each kind.
struct PathLocks: Comparable {
    /// As a sequence number says it, as far as it counts.
    let older: UInt32?
    /// As a lock time says it.
    let after: UInt32?

    init(older: UInt32? = nil, after: UInt32? = nil) { (self.older, self.after) = (older, after) }

    /// What counts of a relative lock.
    ///
    /// Spec: BIP-68.
    static func relative(_ number: UInt32) -> UInt32 { number & (TimeLock.typeFlag | TimeLock.mask) }

    /// An input that has them, and no others.
    var transaction: InputLocks {
        InputLocks(version: 2, sequence: older ?? TransactionRequest.replaceableSequence, lockTime: after ?? 0)
    }

    /// Which of two locks ways to spend have.
    struct Use {
        /// Whether one has the relative lock.
        var older = false
        /// Whether one has the absolute lock.
        var after = false
        /// Whether one has both.
        var both = false

        /// Whether one has all of these.
        func contains(_ locks: PathLocks) -> Bool {
            switch (locks.older, locks.after) {
            case (nil, nil): true
            case (_, nil): older
            case (nil, _): after
            default: both
            }
        }
    }

    static func < (one: Self, other: Self) -> Bool { one.order < other.order }

    /// None is before some, blocks are before times, and few before many.
    private var order: (UInt64, UInt64) {
        // One more than any 32 bits for blocks and heights, so that times follow.
        func place(_ number: UInt32?, isTime: (UInt32) -> Bool, length: (UInt32) -> UInt32) -> UInt64 {
            number.map { UInt64(length($0)) + 1 + (isTime($0) ? 1 << 32 : 0) } ?? 0
        }
        return (
            place(after, isTime: TimeLock.isDate) { $0 }, place(older, isTime: TimeLock.isTime, length: TimeLock.count)
        )
    }
}
