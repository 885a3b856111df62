/// What Liana asks of a wallet, and another one may not keep.
///
/// Source: Liana, `liana/src/descriptors/analysis.rs`: `LianaPolicy::from_multipath_descriptor`, `DescKeyChecker`,
/// `csv_check` (commit d2dbc4c3df2e).
package enum LianaRule: Hashable, Sendable, CaseIterable {
    /// One `wsh` descriptor with miniscript.
    case descriptor
    /// Alternatives, of which one has keys alone: the primary path.
    case primaryPath
    /// All others have a relative lock and keys: the recovery paths, at least one.
    case recoveryPaths
    /// The lock of a recovery path is 1 to 65 535 blocks.
    case blocks
    /// No two recovery paths have the same lock.
    case differentBlocks
    /// Every key is an extended one with an origin, without hardened steps, and ends in a multipath step of two branches and
    /// `*`.
    case keys
    /// No master key has two keys on one path.
    case differentHolders
}

extension LianaRule: CustomStringConvertible {
    /// What it asks for.
    package var description: String {
        switch self {
        case .descriptor: "it must have one wsh descriptor with a policy"
        case .primaryPath: "exactly one spending path must need keys alone"
        case .recoveryPaths:
            "every other spending path must need keys and an age in blocks, and there must be at least one"
        case .blocks: "the age on a spending path must be 1 to 65535 blocks"
        case .differentBlocks: "no two spending paths may open at the same age"
        case .keys: "every key must have an origin, be extended, and end in /<0;1>/* or the like"
        case .differentHolders: "no master key may have two keys on one spending path"
        }
    }
}
