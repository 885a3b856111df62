/// How a sequence number encodes a relative lock time.
///
/// Spec: BIP-68.
enum SequenceLock {
    /// If set, there is no relative lock time.
    static let disableFlag: UInt32 = 1 << 31
    /// If set, the number counts units of 512 seconds; otherwise blocks.
    static let typeFlag: UInt32 = 1 << 22
    /// The bits of the number.
    static let mask: UInt32 = 0xFFFF
    /// Below this, an absolute lock time is a block height; from here on, seconds since 1970.
    static let lockTimeThreshold: UInt32 = 500_000_000
    /// The sequence of an input that ignores lock times.
    static let final: UInt32 = 0xFFFF_FFFF

    /// Whether a number says something that is not counted, or nothing that is.
    static func isVain(_ sequence: UInt32) -> Bool { sequence & ~(typeFlag | mask) != 0 || sequence & mask == 0 }

    /// Whether a relative lock time is one of time, and not of blocks.
    static func isTime(_ sequence: UInt32) -> Bool { sequence & typeFlag != 0 }

    /// Whether an absolute lock time is one of time, and not of blocks.
    static func isAbsoluteTime(_ lockTime: UInt32) -> Bool { lockTime >= lockTimeThreshold }
}
