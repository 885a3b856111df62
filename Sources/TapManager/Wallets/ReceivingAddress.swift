import Bitcoin

/// An address of a wallet that somebody may be told to pay to.
public struct ReceivingAddress: Sendable {
    /// Where it comes from.
    package let place: WalletPlace
    /// What is shown to whoever pays.
    public let address: Address
    /// The path of the first of its keys that has an origin; `nil`: none has.
    public let path: DerivationPath?
    /// What should be known before it is used, in the order of what matters.
    public let remarks: [Remark]

    /// Something that should be known of an address.
    public enum Remark: Sendable, Equatable {
        /// It was used before, or stands before one that was.
        case mayBeUsed
        /// It stands so many behind the last paid one that wallets find by themselves: most do not look there.
        case far(UInt32)
        /// The server tells only what is unspent: the address may have been used and emptied.
        case mayBeEmptied
        /// Whether it is unused was not asked now; a server said so at this height and time.
        case toldBefore(server: String, height: Int, time: UnixTime)
        /// No server was ever asked: it may have been used.
        case neverAsked
    }
}

extension ReceivingAddress.Remark {
    /// That other wallets would not find what is paid to an address; nothing where they would.
    /// - Parameter chain: what a server said; `nil`: none was asked.
    static func distance(of index: UInt32, _ chain: WalletChain?, _ branch: WatchWallet.Branch) -> [Self] {
        guard branch.isRanged else { return [] }
        // A server without histories does not tell which addresses were paid and emptied.
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
