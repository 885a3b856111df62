import Synchronization

/// When a card that is served shall be taken off its reader by itself. For tests of the programs above.
public struct PlannedPull: Sendable, Equatable {
    /// When, within the exchange.
    public enum Moment: String, Sendable, CaseIterable {
        /// The card does not hear the command.
        case before
        /// The card acted, and its answer is lost.
        case after
    }

    /// At which exchange with the card, counted from 1, SELECT included.
    public let exchange: Int
    /// When, within the exchange.
    public let moment: Moment

    /// A pull at one exchange.
    public init(atExchange exchange: Int, _ moment: Moment) {
        self.exchange = exchange
        self.moment = moment
    }
}

/// Counts a card's exchanges, and takes it away once.
final class PullingHand: Sendable {
    private let plan: PlannedPull
    private let pull: @Sendable () -> Void
    private let exchanges = Atomic<Int>(0)

    /// - Parameter pull: takes the card off its reader.
    init(_ plan: PlannedPull, pull: @escaping @Sendable () -> Void) {
        self.plan = plan
        self.pull = pull
    }

    /// Lets the card work, and takes it away when it is time.
    /// - Returns: the card's answer; `nil` when nobody hears it.
    func during(_ work: () -> [UInt8]) -> [UInt8]? {
        let number = exchanges.add(1, ordering: .relaxed).newValue
        guard number == plan.exchange else { return work() }
        if plan.moment == .after { _ = work() }
        pull()
        return nil
    }
}
