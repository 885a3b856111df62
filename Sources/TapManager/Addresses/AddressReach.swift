import Bitcoin

/// Whether a wallet that is made anew of an address's keys finds the address: the one recipe, for wallets that are stored and
/// for addresses that somebody names by a descriptor or a path.
///
/// Spec: BIP-44, "Change", "Index" and "Address gap limit".
enum AddressReach {
    /// How far wallets look where nobody knows which addresses are in use.
    static let withoutHistory: UInt32 = 1_000

    /// Confirms that wallets look where the keys of an address stand.
    /// - Parameters:
    ///   - own: the steps of the card's own key below its account.
    ///   - path: the same from the master key.
    ///   - places: the steps of every key, the own one too, as far as they are known.
    /// - Throws: `ReachFault`: `.unusualBranch`, `.keysApart`.
    static func requireUsual(
        _ own: [ChildNumber], at path: DerivationPath, among places: [[ChildNumber]]
    ) throws(ReachFault) {
        guard own.count == CardPath.maximumSubpathDepth, let branch = own.first, branch.index <= 1 else {
            throw .unusualBranch(path)
        }
        guard places.allSatisfy({ $0 == own }) else { throw .keysApart }
    }

    /// Confirms that a search that gives up after so many unused addresses comes as far as a number.
    /// - Parameter next: the next number without a use; `nil`: nobody knows which are in use.
    /// - Throws: `ReachFault.farIndex`.
    static func requireNear(_ index: UInt32, next: UInt32?) throws(ReachFault) {
        let reach = next == nil ? withoutHistory : UInt32(WalletSync.usualGapLimit)
        guard Int64(index) < Int64(next ?? 0) + Int64(reach) else { throw .farIndex(index, next: next) }
    }
}
