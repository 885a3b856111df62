import SmartCard
import Synchronization
import TapSimulator

/// Writes down what passes between the client and the reader, and brings about one disturbance for each call.
final class WireLog: CardInterceptor {
    /// One exchange.
    struct Entry {
        let name: String
        let command: [UInt8]
        /// Whether the other card was laid down unnoticed just before.
        var wasSwapped = false
        /// Whether the card lost power just before.
        var lostPower = false
        /// What the card answered; `nil` when it never got the command.
        var answer: [UInt8]?
        /// Whether the client got the whole answer.
        var isDelivered = false
        /// Whether the card lost power just after.
        var losesPower = false
    }

    private struct State {
        var entries: [Entry] = []
        var disturbance: Disturbance?
        var otherCard: SimulatedCard?
        var hasFired = false
    }

    private let state = Mutex(State())

    /// Begins the log of a call.
    func begin(_ disturbance: Disturbance?, otherCard: SimulatedCard) {
        state.withLock { $0 = State(disturbance: disturbance, otherCard: otherCard) }
    }

    /// The exchanges of the call.
    var entries: [Entry] { state.withLock { $0.entries } }

    /// The disturbance, if it came about.
    var disturbance: Disturbance? { state.withLock { $0.hasFired ? $0.disturbance : nil } }

    func command(_ exchange: CardExchange) -> CommandInterception {
        state.withLock { state in
            state.entries.append(Entry(name: exchange.name, command: exchange.command))
            guard let disturbance = state.disturbance, disturbance.exchange == state.entries.count else { return .pass }
            state.hasFired = true
            switch disturbance.kind {
            case .cutBefore:
                state.entries[state.entries.count - 1].lostPower = true
                return .cutPower
            case .pullBefore: return .pull(disturbance.cardReturn)
            case .failBefore: return .fail(.forTest)
            case .swap:
                guard let other = state.otherCard else { return .pass }
                return .swap(other)
            case .swapUnnoticed:
                guard let other = state.otherCard else { return .pass }
                state.entries[state.entries.count - 1].wasSwapped = true
                return .swapUnnoticed(other)
            case .cutAfter, .pullAfter, .pullInAnswer, .failAfter: return .pass
            }
        }
    }

    func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
        state.withLock { state in
            let last = state.entries.count - 1
            state.entries[last].answer = answer
            state.entries[last].isDelivered = true
            guard let disturbance = state.disturbance, disturbance.exchange == state.entries.count else { return .pass }
            switch disturbance.kind {
            case .cutAfter:
                state.entries[last].losesPower = true
                return .cutPower
            case .pullAfter:
                state.entries[last].isDelivered = false
                state.entries[last].losesPower = true
                return .pull(disturbance.cardReturn)
            case .pullInAnswer:
                state.entries[last].isDelivered = false
                state.entries[last].losesPower = true
                return .replaceThenPull(Array(answer.prefix(answer.count / 2)), disturbance.cardReturn)
            case .failAfter:
                state.entries[last].isDelivered = false
                return .fail(.forTest)
            case .cutBefore, .pullBefore, .failBefore, .swap, .swapUnnoticed: return .pass
            }
        }
    }
}

extension Disturbance {
    fileprivate var cardReturn: CardReturn { comesBack ? .atOnce : .byHand }
}

extension ReaderError {
    fileprivate static let forTest = ReaderError(.transportFailed, "The reader fails.")
}
