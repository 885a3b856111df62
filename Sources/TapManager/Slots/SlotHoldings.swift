import Bitcoin
import ChainData

/// What lies at the addresses of a SATSCARD's slots, as a chain server says.
public struct SlotHoldings: Sendable {
    /// What lies at one address.
    public struct Holding: Sendable {
        /// The coins; amounts and scripts are proven by their transactions.
        package let coins: [ChainCoin]
        /// The sum of those that are in a block.
        public let confirmed: Amount
        /// The sum of those that wait for one.
        public let unconfirmed: Amount

        fileprivate init(_ coins: [ChainCoin]) throws(ChainError) {
            self.coins = coins
            confirmed = try SlotHoldings.sum(coins.filter { $0.height != nil })
            unconfirmed = try SlotHoldings.sum(coins.filter { $0.height == nil })
        }
    }

    /// In the order of the slots; empty for slots without an address.
    public let slots: [Holding]
    /// Confirmed or not.
    public let total: Amount
    /// The server's name.
    package let server: String

    /// Asks about all slots at once; the server learns that they belong together.
    /// - Throws: `ChainError`; `.liar` for more money than there is.
    init(of reports: [SlotReport], from source: any ChainSource) async throws(ChainError) {
        var found = try await source.coins(of: reports.compactMap { $0.address?.scriptPubKey })[...]
        var slots: [Holding] = []
        for report in reports { slots.append(try Holding(report.address == nil ? [] : found.popFirst() ?? [])) }
        self.slots = slots
        total = try Self.sum(slots.flatMap(\.coins))
        server = source.name
    }

    private static func sum(_ coins: [ChainCoin]) throws(ChainError) -> Amount {
        guard let sum = Amount.sum(coins.map(\.amount)) else { throw .liar("the coins are more money than there is") }
        return sum
    }
}
