import CardReaders
import SmartCard

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

    /// Asks the service of this machine, on its own thread, which is abandoned if there is no answer within 3 seconds.
    public static func ask() async -> Answer {
        await TimedAnswer.of(answer) { failure in
            switch failure {
            case .silent(let seconds): .silent(seconds: seconds)
            case .noThread(let error): .failed(error)
            }
        }
    }

    @Sendable
    private static func answer() -> Answer {
        do throws(ReaderError) {
            return .readers(try PCSCBackend.listedReaders().map { Reader(name: $0.name, card: card(on: $0)) })
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
