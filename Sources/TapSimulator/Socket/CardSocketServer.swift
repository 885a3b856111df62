import LocalSockets
import Threads

/// Serves a simulated card on a Unix stream socket, as the maker's emulator does: each request and each response is one
/// CBOR map, including errors. There are no APDUs, no SELECT and no lengths.
///
/// Serves one connection at a time. A connection stands for a card in the field: it begins with a fresh `card_nonce`,
/// and at its end the card leaves the field. All functions except `run` may be called from any thread.
///
/// Spec: protocol, "Wire"; the maker's emulator, as its reference client speaks to it.
public final class CardSocketServer: Sendable {
    /// The longest request that a card accepts, as over the air, in bytes.
    static let longestRequest = 255

    private let card: SimulatedCard
    private let listener: ListeningSocket
    private let wakeUp: WakeUp
    private let isStopped = Monitor(false)
    private let report: @Sendable (CardSocketEvent) -> Void

    /// Creates a server that listens, but does not answer before `run`.
    /// - Parameters:
    ///   - card: the card.
    ///   - path: where to create the socket, 1–107 bytes. A socket that nobody listens on any more is replaced;
    ///     anything else is left alone. Only its owner can use it, and the server removes it at the end.
    ///   - report: called with every event, on the thread that runs.
    /// - Throws: `SimulatedCardError`: `.badAddress` for a path that no socket can have, `.inUse` if a process listens
    ///   there, `.exists` if something other than a socket is there, `.fileFailed`.
    public init(
        card: SimulatedCard, path: String, report: @escaping @Sendable (CardSocketEvent) -> Void = { _ in }
    ) throws(SimulatedCardError) {
        wakeUp = try SimulatedCardError.explaining { () throws(LocalSocketError) in try WakeUp() }
        listener = try SimulatedCardError.explaining { () throws(LocalSocketError) in
            try ListeningSocket(path: path)
        }
        self.card = card
        self.report = report
    }

    /// Serves until `stop`, then removes the socket. Blocks its thread.
    public func run() {
        defer { listener.remove() }
        while !isStopped.withLock({ $0 }) {
            guard let connection = listener.accept(wakeUp: wakeUp) else { continue }
            report(.connected)
            do throws(SimulatedCardError) {
                try card.powerOn()
                serve(connection)
            } catch { report(.cardFailed(error)) }
            card.powerOff()
            report(.disconnected)
        }
    }

    /// Ends `run`, after the response in progress.
    public func stop() {
        isStopped.withLock { $0 = true }
        wakeUp.call()
    }

    private func serve(_ connection: SocketConnection) {
        var requests = SocketRequests(longest: Self.longestRequest)
        while true {
            while let request = requests.next() {
                guard connection.send(answer(to: request)) == .done else { return }
            }
            switch connection.receive(timeout: requests.isBegun ? SocketRequests.patience : -1) {
            case .bytes(let bytes): requests.append(bytes)
            case .silence: requests.giveUp()
            case .ended, .woken: return
            }
            if isStopped.withLock({ $0 }) { return }
        }
    }

    private func answer(to request: SocketRequests.Request) -> [UInt8] {
        guard case .map(let bytes) = request else { return SimulatedCard.unreadable }
        let answer = card.process(request: bytes)
        if let error = card.fileError { report(.cardFailed(error)) }
        return answer
    }
}

/// What happens at a card's socket.
public enum CardSocketEvent: Sendable, Equatable {
    /// A program connected.
    case connected
    /// Its connection ended.
    case disconnected
    /// The card's file cannot be written; the command was undone.
    case cardFailed(SimulatedCardError)
}
