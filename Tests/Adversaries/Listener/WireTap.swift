import Synchronization
import TapSimulator

/// A reader, a cable or a program that writes down what passes and changes nothing.
final class WireTap: CardInterceptor {
    private let log = Mutex<[OverheardExchange]>([])

    /// What passed so far, in order.
    var exchanges: [OverheardExchange] { log.withLock { $0 } }

    func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
        log.withLock { $0.append(OverheardExchange(exchange, answer: answer)) }
        return .pass
    }
}
