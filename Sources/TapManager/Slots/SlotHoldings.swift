import Bitcoin
import ChainData

/// The balances of a SATSCARD's slots, according to a chain server, which may conceal or invent payments. Only that a
/// coin's transaction pays this amount to the slot's address is verified.
public struct SlotHoldings: Sendable {
    /// The balance of one address.
    public struct Holding: Sendable {
        /// The coins; their transactions prove amounts and scripts.
        package let coins: [ChainCoin]
        /// The sum of the confirmed ones.
        public let confirmed: Amount
        /// The sum of the unconfirmed ones; `nil` if the server reports none because it did not look for any.
        public let unconfirmed: Amount?
        /// The sum of all.
        let total: Amount

        /// - Parameters:
        ///   - source: the server that has just reported the coins.
        ///   - hasAddress: whether there is an address that coins could be at.
        /// - Throws: `.liar` for more money than there is.
        init(_ coins: [ChainCoin], from source: any ChainSource, hasAddress: Bool = true) throws(ChainError) {
            self.coins = coins
            confirmed = try SlotHoldings.sum(coins.filter { $0.height != nil })
            let waiting = coins.filter { $0.height == nil }
            let isUnknown = hasAddress && waiting.isEmpty && !source.features.contains(.unconfirmed)
            unconfirmed = try isUnknown ? nil : SlotHoldings.sum(waiting)
            total = try SlotHoldings.sum(coins)
        }
    }

    /// One for each slot that was asked about, in that order; zero for slots without an address.
    public let slots: [Holding]
    /// The sum of all slots, confirmed and unconfirmed.
    package let total: Amount
    /// The server's name.
    package let server: String

    /// Asks about all slots at once; the server learns that they belong together.
    /// - Throws: `ChainError`; `.liar` for more money than there is.
    init(of reports: [SlotReport], from source: any ChainSource) async throws(ChainError) {
        var found = try await source.coins(of: reports.compactMap { $0.address?.scriptPubKey })[...]
        var slots: [Holding] = []
        for report in reports {
            let hasAddress = report.address != nil
            let coins = hasAddress ? found.popFirst() ?? [] : []
            slots.append(try Holding(coins, from: source, hasAddress: hasAddress))
        }
        self.slots = slots
        total = try Self.sum(slots.flatMap(\.coins))
        server = source.name
    }

    private static func sum(_ coins: [ChainCoin]) throws(ChainError) -> Amount {
        guard let sum = Amount.sum(coins.map(\.amount)) else {
            throw .liar("the coins are worth more money than exists")
        }
        return sum
    }
}
