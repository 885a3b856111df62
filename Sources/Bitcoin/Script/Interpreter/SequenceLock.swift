/// How a sequence number spells a relative lock time.
///
/// Spec: BIP-68.
enum SequenceLock {
    /// Set: no relative lock time.
    static let disableFlag: UInt32 = 1 << 31
    /// Set: the number counts 512 seconds; else blocks.
    static let typeFlag: UInt32 = 1 << 22
    /// The bits of the number.
    static let mask: UInt32 = 0xFFFF
    /// Below, an absolute lock time is a block height; from here on seconds since 1970.
    static let lockTimeThreshold: UInt32 = 500_000_000
    /// The sequence of an input that no lock time holds up.
    static let final: UInt32 = 0xFFFF_FFFF
}
