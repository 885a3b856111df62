import Bitcoin
import ChainData

/// What lies at the addresses of a SATSCARD's slots.
struct SlotHoldings {
    /// What lies at one address.
    struct Holding {
        let coins: [ChainCoin]
        let confirmed: Amount
        let unconfirmed: Amount

        /// For people.
        var text: String {
            guard !coins.isEmpty else { return "holds nothing" }
            var parts = ["holds \(confirmed)"]
            if unconfirmed > .zero { parts.append("\(unconfirmed) unconfirmed") }
            return parts.joined(separator: ", ") + " in \(coins.count) coin\(coins.count == 1 ? "" : "s")"
        }
    }

    /// In the order of the addresses.
    let slots: [Holding]
    /// Confirmed or not.
    let total: Amount
    /// The server's name.
    let server: String

    /// Asks about all addresses at once.
    /// - Parameter addresses: `nil` for slots without one.
    /// - Throws: `Failure`: what the server's failures are; `.chainLied` for more money than there is.
    init(of addresses: [Address?], from source: any ChainSource) async throws(Failure) {
        let scripts = addresses.compactMap { $0?.scriptPubKey }
        var found: ArraySlice<[ChainCoin]>
        do throws(ChainError) { found = try await source.coins(of: scripts)[...] } catch { throw Failure(error) }
        await source.close()
        var slots: [Holding] = []
        for address in addresses {
            let coins = address == nil ? [] : found.popFirst() ?? []
            slots.append(
                Holding(
                    coins: coins, confirmed: try Self.sum(coins.filter { $0.height != nil }),
                    unconfirmed: try Self.sum(coins.filter { $0.height == nil })))
        }
        self.slots = slots
        total = try Self.sum(slots.flatMap(\.coins))
        server = source.name
    }

    private static func sum(_ coins: [ChainCoin]) throws(Failure) -> Amount {
        guard let sum = Amount.sum(coins.map(\.amount)) else {
            throw Failure(.chainLied, "The coins that the server tells of are more money than there is.")
        }
        return sum
    }
}
