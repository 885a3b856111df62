import Bitcoin

/// Whether a wallet that is restored from an address's keys finds the address: the same rule for stored wallets and for
/// addresses that are given by a descriptor or a path.
///
/// Spec: BIP-44, "Change", "Index" and "Address gap limit".
enum AddressReach {
    /// How far wallets look if it is unknown which addresses are in use.
    static let withoutHistory: UInt32 = 1_000

    /// Confirms that wallets look where the keys of an address are.
    /// - Parameters:
    ///   - own: the steps of the card's own key below its account.
    ///   - path: the same from the master key.
    ///   - places: the steps of every key, including its own, as far as they are known.
    /// - Throws: `ReachFault`: `.unusualBranch`, `.keysApart`.
    static func requireUsual(
        _ own: [ChildNumber], at path: DerivationPath, among places: [[ChildNumber]]
    ) throws(ReachFault) {
        guard own.count == CardPath.maximumSubpathDepth, let branch = own.first, branch.index <= 1 else {
            throw .unusualBranch(path)
        }
        guard places.allSatisfy({ $0 == own }) else { throw .keysApart }
    }

    /// Confirms that a search with the usual gap limit reaches an index.
    /// - Parameter next: the next unused index; `nil`: it is unknown which are in use.
    /// - Throws: `ReachFault.farIndex`.
    static func requireNear(_ index: UInt32, next: UInt32?) throws(ReachFault) {
        let reach = next == nil ? withoutHistory : UInt32(WalletSync.usualGapLimit)
        guard Int64(index) < Int64(next ?? 0) + Int64(reach) else { throw .farIndex(index, next: next) }
    }
}
