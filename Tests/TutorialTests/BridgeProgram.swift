import Glibc
import Synchronization
import TapSimulator
import TestSupport
import Testing

/// The other end of the tutorial's bridge: a program with a simulated card, on a thread of its own.
final class BridgeProgram: Sendable {
    /// The card and whether it is on the reader; both threads use it.
    private final class SharedCard: Sendable {
        let card: SimulatedCard
        let hasCard = Atomic<Bool>(false)

        init(_ card: SimulatedCard) { self.card = card }

        /// What the card says, or nothing without one; an empty request asks whether there is one.
        func answer(to request: [UInt8]) -> [UInt8] {
            let isThere = hasCard.load(ordering: .acquiring)
            if request.isEmpty { return [isThere ? 1 : 0] }
            return isThere ? card.process(apdu: request) : []
        }
    }

    /// The reader's end of the line, which the reader takes over; when it closes it, the program ends.
    let descriptor: Int32
    private let line: LoopbackSocket
    private let shared: SharedCard

    init(_ card: SimulatedCard) throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        descriptor = ends[0]
        line = LoopbackSocket(descriptor: ends[1], limit: nil)
        shared = SharedCard(card)
        _ = BesideThread { [line, shared] in
            defer { line.end() }
            while let head = try? line.read(exactly: 2),
                let request = try? line.read(exactly: Int(head[0]) << 8 | Int(head[1]))
            {
                let answer = shared.answer(to: request)
                guard (try? line.write([UInt8(answer.count >> 8), UInt8(answer.count & 0xFF)] + answer)) != nil else {
                    return
                }
            }
        }
    }

    /// Lays the card down.
    func insert() throws {
        try shared.card.powerOn()
        shared.hasCard.store(true, ordering: .releasing)
    }

    /// Takes the card away.
    func pull() {
        shared.hasCard.store(false, ordering: .releasing)
        shared.card.powerOff()
    }

    /// Ends the program.
    func end() { line.end() }
}
