import TapManager
import TapProtocol

extension CardAtHand {
    /// Finds the card that the options ask for.
    /// - Throws: `Failure`: `.noService`, `.noReader`, `.noCard`, `.ambiguousCard`, `.notATapCard`, `.wrongNetwork`, ….
    /// - Parameter isForLooking: whether the verb only tells what card it is, which may be one of another network than the
    ///   one asked for.
    static func open(_ options: GlobalOptions, isForLooking: Bool = false) async throws(Failure) -> CardAtHand {
        _ = try options.network()
        let manager = try options.manager(over: MemoryStore())
        let found: CardAtHand
        do throws(CardSearchError) { found = try await manager.card(options.cardChoice) } catch { throw Failure(error) }
        if !isForLooking { _ = try found.shownNetwork(options) }
        return found
    }
}
