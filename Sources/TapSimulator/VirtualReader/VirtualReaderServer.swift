import LocalSockets
import Threads

/// Puts a simulated card on the virtual PC/SC reader of the package `vsmartcard-vpcd`, so that `pcscd` and every
/// program above it see a card on a reader.
///
/// The driver is the TCP server, this is the client. `pcscd` may stop and restart. All functions except `run` may be
/// called from any thread at any time.
///
/// Spec: vsmartcard, virtual smart card reader ("vpcd"), communication protocol.
public final class VirtualReaderServer: Sendable {
    private struct Wishes {
        var card: SimulatedCard
        var isPresent = true
        var isStopped = false
        /// Incremented with every change, so that a connection knows when its card is no longer wanted.
        var change = 0
    }

    private static let shortestPause: Int32 = 100
    private static let longestPause: Int32 = 2_000

    private let wishes: Monitor<Wishes>
    private let address: VirtualReaderAddress
    private let report: @Sendable (VirtualReaderEvent) -> Void
    private let wakeUp: WakeUp

    /// Creates a server that is not running yet.
    /// - Parameters:
    ///   - card: the card to put on the reader.
    ///   - address: where the driver listens.
    ///   - report: called with every event, on the thread that runs.
    /// - Throws: `SimulatedCardError.fileFailed` if the system has no descriptors left.
    public init(
        card: SimulatedCard, address: VirtualReaderAddress,
        report: @escaping @Sendable (VirtualReaderEvent) -> Void = { _ in }
    ) throws(SimulatedCardError) {
        wakeUp = try SimulatedCardError.explaining { () throws(LocalSocketError) in try WakeUp() }
        wishes = Monitor(Wishes(card: card))
        self.address = address
        self.report = report
    }

    /// Serves until `stop`. Blocks its thread.
    public func run() {
        var pause = Self.shortestPause
        var isOutageKnown = false
        while true {
            let now = wishes.withLock { $0 }
            if now.isStopped { return }
            guard now.isPresent else {
                _ = wakeUp.wait()
                continue
            }
            guard let socket = VirtualReaderSocket(wakeUp: wakeUp) else {
                _ = wakeUp.wait(milliseconds: Self.longestPause)
                continue
            }
            let outcome = socket.connect(to: address)
            if outcome == .done {
                isOutageKnown = false
                pause = Self.shortestPause
                report(.connected)
                serve(now, over: socket)
            } else if outcome != .woken {
                if !isOutageKnown { report(.waiting(Self.reason(outcome))) }
                isOutageKnown = true
                _ = wakeUp.wait(milliseconds: pause)
                pause = min(2 * pause, Self.longestPause)
            }
        }
    }

    /// Ends `run`; the card is off the reader when that returns.
    public func stop() { change { $0.isStopped = true } }

    /// Takes the card off the reader.
    public func pull() { change { $0.isPresent = false } }

    /// Puts the card back on the reader, or another one in its place.
    public func insert(_ card: SimulatedCard? = nil) {
        change {
            $0.isPresent = true
            if let card { $0.card = card }
        }
    }

    private func change(_ body: (inout Wishes) -> Void) {
        wishes.withLock {
            body(&$0)
            $0.change += 1
        }
        wakeUp.call()
    }

    private func serve(_ start: Wishes, over socket: VirtualReaderSocket) {
        defer { start.card.powerOff() }
        var frames = VirtualReaderFrames()
        while true {
            var outcome = socket.receive(into: &frames)
            while outcome == .done, let message = frames.next() {
                guard let answer = answer(to: message, of: start.card) else { continue }
                // The card may have been removed while it worked.
                outcome = isWanted(start) ? socket.send(VirtualReaderFrames.encode(answer)) : .woken
            }
            if case .failed(let reason) = outcome {
                report(.lost(reason))
                return
            }
            if !isWanted(start) {
                report(.pulled)
                return
            }
        }
    }

    private func isWanted(_ start: Wishes) -> Bool { wishes.withLock { $0.change == start.change } }

    /// The card's response; `nil` to stay silent. Never empty: an empty response hangs `pcscd`.
    private func answer(to message: VirtualReaderFrames.Message, of card: SimulatedCard) -> [UInt8]? {
        switch message {
        case .meaningless: return nil
        case .answerToReset: return SimulatedCard.answerToReset
        case .powerOff:
            card.powerOff()
            return nil
        case .powerOn, .reset:
            do { try card.powerOn() } catch { report(.cardFailed(error)) }
            return nil
        case .apdu(let apdu):
            let answer = card.exchange(apdu: apdu)
            if let error = card.fileError { report(.cardFailed(error)) }
            return answer
        }
    }

    private static func reason(_ outcome: VirtualReaderSocket.Outcome) -> String {
        if case .failed(let reason) = outcome { reason } else { "no answer" }
    }
}

/// What happens at a virtual reader.
public enum VirtualReaderEvent: Sendable, Equatable {
    /// The driver does not listen yet; the server keeps trying. Reported once per outage, with the system's reason.
    case waiting(String)
    /// The card is on the reader.
    case connected
    /// The driver closed the connection, with the reason; the server reconnects.
    case lost(String)
    /// The card was taken off the reader by `pull`, `insert` of another, or `stop`.
    case pulled
    /// The card's file cannot be written; the command was undone.
    case cardFailed(SimulatedCardError)
}
