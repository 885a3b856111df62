import Bitcoin

/// An address of a wallet that can be given to a payer.
public struct ReceivingAddress: Sendable {
    /// Where it comes from.
    package let place: WalletPlace
    /// What the payer is shown.
    public let address: Address
    /// The path of the first of its keys that has an origin; `nil`: none has.
    public let path: DerivationPath?
    /// What the user should know before using it, most important first.
    public let remarks: [Remark]

    /// Something that the user should know about an address.
    public enum Remark: Sendable, Equatable {
        /// It was used before, or precedes one that was.
        case mayBeUsed
        /// It is this far after the last paid one that wallets find by themselves; most do not look that far.
        case far(UInt32)
        /// Only the server says that addresses up to here were used: it is this far after the last one that the wallet's own
        /// payments show.
        case claimed(UInt32)
        /// The server only reports what is unspent: the address may have been used and emptied.
        case mayBeEmptied
        /// No server was asked now whether it is unused; one reported that at this height and time.
        case toldBefore(server: String, height: Int, time: UnixTime)
        /// No server was ever asked: it may have been used.
        case neverAsked
    }
}

extension ReceivingAddress.Remark {
    /// How far addresses in use may go by the server's word alone before that is remarked: it can invent deposits, and so
    /// move the next address to where a restored wallet does not look.
    private static let unremarkedClaim: UInt32 = 100

    /// A remark if the next address is where it is by the server's word alone; empty if not.
    ///
    /// Spec: threats, "The chain server".
    static func claim(of index: UInt32, _ chain: WalletChain, _ branch: WatchWallet.Branch) -> [Self] {
        guard branch.isRanged, chain.hasHistory else { return [] }
        let shown = chain.shownCount(descriptor: branch.descriptor, branch: branch.number)
        let (distance, isBefore) = index.subtractingReportingOverflow(shown)
        return isBefore || distance < unremarkedClaim ? [] : [.claimed(distance)]
    }

    /// A remark if other wallets would not find what is paid to an address; empty if they would.
    /// - Parameter chain: the server's last answer; `nil`: none was asked.
    static func distance(of index: UInt32, _ chain: WalletChain?, _ branch: WatchWallet.Branch) -> [Self] {
        guard branch.isRanged else { return [] }
        // A server without histories does not report which addresses were paid and emptied.
        let count =
            chain.map { chain in
                chain.hasHistory
                    ? chain.reachableCount(descriptor: branch.descriptor, branch: branch.number)
                    : chain.nextIndex(descriptor: branch.descriptor, branch: branch.number)
            } ?? 0
        let (distance, isBefore) = index.subtractingReportingOverflow(count)
        guard !isBefore, distance < .max, distance + 1 >= UInt32(WalletSync.usualGapLimit) else { return [] }
        return [.far(distance + 1)]
    }
}
