import Synchronization

@testable import TapSimulator

/// An interceptor that lies to the app, as often as it is told to, and remembers everything.
///
/// ```swift
/// let liar = Liar(when: .command("read"), .nth(2), tell: .flip("sig", bit: 7))
/// let reader = SimulatedReader(card: card, interceptor: liar)
/// …
/// #expect(liar.lies == 1)
/// ```
///
/// A liar without rules only listens. Calls may come from any thread.
public final class Liar: CardInterceptor {
    /// Which commands are lied about.
    public enum Target: Sendable {
        /// Every command.
        case all
        /// Commands of this name; `select` for SELECT.
        case command(String)
        /// Commands of these names.
        case commands(Set<String>)
        /// The exchange with this number, counted from 1 as the reader counts.
        case exchange(Int)

        /// `status` and SELECT, which answer alike.
        public static let status = Target.commands(["select", "status"])

        func isHit(by exchange: CardExchange) -> Bool {
            switch self {
            case .all: true
            case .command(let name): exchange.name == name
            case .commands(let names): names.contains(exchange.name)
            case .exchange(let number): exchange.number == number
            }
        }
    }

    /// Which of the commands that a target hits, counted from 1.
    public enum Turn: Sendable {
        /// Each time, for ever.
        case always
        /// Once.
        case nth(Int)
        /// From that time on, for ever.
        case from(Int)
        /// The first times.
        case first(Int)

        func isHit(by occurrence: Int) -> Bool {
            switch self {
            case .always: true
            case .nth(let number): occurrence == number
            case .from(let number): occurrence >= number
            case .first(let number): occurrence <= number
            }
        }
    }

    /// A lie, and when it is told.
    public struct Rule: Sendable {
        let target: Target
        let turn: Turn
        let lie: Lie
        let reachesCard: Bool

        /// - Parameters:
        ///   - target: which commands.
        ///   - turn: which of them.
        ///   - lie: the lie.
        ///   - reachesCard: whether the card gets the command and acts. When not, the lie is about the bare `9000`.
        public init(when target: Target, _ turn: Turn = .always, tell lie: Lie, reachesCard: Bool = true) {
            self.target = target
            self.turn = turn
            self.lie = lie
            self.reachesCard = reachesCard
        }
    }

    private struct Memory {
        var exchanges: [ToldExchange] = []
        /// How often each rule's target was hit.
        var hits: [Int]
        /// What is to be told about the exchange under way.
        var pending: [Lie] = []
        var lies = 0
    }

    private let rules: [Rule]
    private let memory: Mutex<Memory>

    /// A liar with any number of rules; those that are hit by the same exchange are told one after the other.
    public init(_ rules: [Rule] = []) {
        self.rules = rules
        memory = Mutex(Memory(hits: [Int](repeating: 0, count: rules.count)))
    }

    /// A liar with one rule.
    public convenience init(when target: Target, _ turn: Turn = .always, tell lie: Lie, reachesCard: Bool = true) {
        self.init([Rule(when: target, turn, tell: lie, reachesCard: reachesCard)])
    }

    /// How many answers differed from the card's.
    public var lies: Int { memory.withLock { $0.lies } }

    /// Every exchange so far, oldest first.
    public var exchanges: [ToldExchange] { memory.withLock { $0.exchanges } }

    /// Chooses the lies; the card may get the command.
    public func command(_ exchange: CardExchange) -> CommandInterception {
        let reachesCard = memory.withLock { memory in
            var isHidden = false
            memory.pending = []
            for (index, rule) in rules.enumerated() where rule.target.isHit(by: exchange) {
                memory.hits[index] += 1
                guard rule.turn.isHit(by: memory.hits[index]) else { continue }
                memory.pending.append(rule.lie)
                isHidden = isHidden || !rule.reachesCard
            }
            return !isHidden
        }
        return reachesCard ? .pass : .answer([0x90, 0x00])
    }

    /// Tells the lies.
    public func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
        let (pending, context) = memory.withLock { memory in
            let before = memory.exchanges
            let occurrence = 1 + before.count { $0.name == exchange.name }
            return (
                memory.pending, LiarContext(exchange: exchange, occurrence: occurrence, history: before)
            )
        }
        // Without the lock: a lie may take its time.
        let told = pending.reduce(answer) { $1.tell($0, context) }
        memory.withLock { memory in
            memory.exchanges.append(
                ToldExchange(name: exchange.name, command: exchange.command, answer: answer, told: told))
            if told != answer { memory.lies += 1 }
        }
        return told == answer ? .pass : .replace(told)
    }
}
