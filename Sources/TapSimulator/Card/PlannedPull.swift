import Synchronization

/// When a served card is to be taken off its reader automatically. For tests of the programs above.
public struct PlannedPull: Sendable, Equatable {
    /// The moment within the exchange.
    public enum Moment: String, Sendable, CaseIterable {
        /// The card does not receive the command.
        case before
        /// The card has acted, but its response is lost.
        case after
    }

    /// The exchange with the card, counted from 1, including SELECT.
    public let exchange: Int
    /// The moment within the exchange.
    public let moment: Moment

    /// Plans a removal at one exchange.
    public init(atExchange exchange: Int, _ moment: Moment) {
        self.exchange = exchange
        self.moment = moment
    }
}

/// Counts a card's exchanges, and removes it once.
final class PullingHand: Sendable {
    private let plan: PlannedPull
    private let pull: @Sendable () -> Void
    private let exchanges = Atomic<Int>(0)

    /// - Parameter pull: takes the card off its reader.
    init(_ plan: PlannedPull, pull: @escaping @Sendable () -> Void) {
        self.plan = plan
        self.pull = pull
    }

    /// Lets the card work, and removes it when it is time.
    /// - Returns: the card's response; `nil` if it is lost.
    func during(_ work: () -> [UInt8]) -> [UInt8]? {
        let number = exchanges.add(1, ordering: .relaxed).newValue
        guard number == plan.exchange else { return work() }
        if plan.moment == .after { _ = work() }
        pull()
        return nil
    }
}
