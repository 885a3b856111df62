import CardReaders
import SmartCard
import Synchronization
import Threads

/// What the PC/SC service answers when it is asked for its readers.
public enum SmartCardService {
    /// What is on a reader, as far as the service knows without a connection to the card.
    public enum Card: Sendable, Equatable {
        /// Nothing.
        case absent
        /// A card.
        case present
        /// A card that does not answer.
        case mute
        /// A card that another program uses exclusively.
        case held
    }

    /// A reader that the service lists.
    public struct Reader: Sendable, Equatable {
        /// Its name in PC/SC.
        public let name: String
        /// What is on it; `nil` if the service did not say.
        public let card: Card?
    }

    /// The service's answer.
    public enum Answer: Sendable, Equatable {
        /// It was not asked: asking starts it, and it then claims the readers.
        case notAsked
        /// It lists its readers; there may be none.
        case readers([Reader])
        /// It refused, or could not be reached.
        case failed(ReaderError)
        /// It did not answer for this many seconds.
        case silent(seconds: Int)

        /// The readers it lists; `nil` for any other answer.
        var readers: [Reader]? {
            if case .readers(let readers) = self { readers } else { nil }
        }
    }

    /// How many seconds the service may take to answer.
    static let limit = 3

    /// Asks the service of this machine, on its own thread, which is abandoned if there is no answer within 3 seconds.
    public static func ask() async -> Answer {
        await withCheckedContinuation { continuation in
            let first = FirstAnswer(continuation)
            if !DetachedThread.run({ first.give(answer()) }) {
                first.give(.failed(ReaderError(.transportFailed, "The system cannot create another thread.")))
            }
            Task {
                try? await Task.sleep(for: .seconds(limit))
                first.give(.silent(seconds: limit))
            }
        }
    }

    private static func answer() -> Answer {
        do throws(ReaderError) {
            return .readers(try PCSCBackend().attachedReaders().map { Reader(name: $0.name, card: card(on: $0)) })
        } catch {
            return .failed(error)
        }
    }

    private static func card(on reader: PCSCReader) -> Card? {
        guard let state = try? reader.state() else { return nil }
        if !state.isCardPresent { return .absent }
        return state.isHeldExclusively ? .held : state.isCardMute ? .mute : .present
    }
}

/// Passes the first of several answers on, and ignores the rest.
private final class FirstAnswer: Sendable {
    private let continuation: Mutex<CheckedContinuation<SmartCardService.Answer, Never>?>

    init(_ continuation: CheckedContinuation<SmartCardService.Answer, Never>) {
        self.continuation = Mutex(continuation)
    }

    func give(_ answer: SmartCardService.Answer) {
        let waiting = continuation.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        waiting?.resume(returning: answer)
    }
}
