import LocalSockets
import Threads

/// Puts a simulated card on a simulated USB reader, and plugs the reader into a virtual machine: the guest's kernel, udev,
/// and drivers see a reader on their bus.
///
/// The machine's end speaks usbredir at a Unix socket, as QEMU's `usb-redir` does. If something listens at the socket, the
/// server connects, else it makes the socket and waits. A connection is a plugged-in reader, and its end unplugs it. All
/// functions except `run` may be called from any thread at any time.
///
/// Spec: USB redirection protocol 0.7.
public final class USBReaderServer: Sendable {
    struct Wishes {
        var placement: CardPlacement
        var isPlugged = true
        var fault: USBReaderFault?
        /// Incremented with every change of the fault.
        var faults = 0
        var isStopped = false
    }

    /// What the running server knows.
    struct Bench {
        var port: USBPort
        var field: FieldBench
        var fault: USBReaderFault?
        var faults = 0
        /// The exchanges before the fault was requested.
        var earlierExchanges = 0
        /// Whether the card was mute when it was last looked at.
        var wasMute = false

        /// Whether the fault is due at the exchange in progress.
        var isFaulty: Bool {
            guard let fault, fault.kind != .mutePower else { return false }
            return fault.exchange == field.exchanges - earlierExchanges
        }

        /// Makes the fault the one in force.
        mutating func take(_ fault: USBReaderFault?) {
            self.fault = fault
            earlierExchanges = field.exchanges
            port.device.muting = PowerMuting(atPowerUp: fault.flatMap { $0.kind == .mutePower ? $0.exchange : nil })
        }
    }

    private static let shortestPause: Int32 = 100
    private static let longestPause: Int32 = 2_000
    /// The most bytes that wait for a host that does not read.
    private static let mostOutput = 1_048_576

    private let wishes: Monitor<Wishes>
    private let model: USBReaderModel
    private let door: HostDoor
    let wakeUp: WakeUp
    let report: @Sendable (USBReaderEvent) -> Void

    /// Creates a server that is not running yet.
    /// - Parameters:
    ///   - target: what is on the reader.
    ///   - model: which reader.
    ///   - path: the socket, 1–107 bytes.
    ///   - report: called with every event, on the thread that runs.
    /// - Throws: `SimulatedCardError`: `.badAddress` for a path that no socket can have, `.exists` if something other than
    ///   a socket is there, `.fileFailed`.
    public init(
        target: any PN532Target, model: USBReaderModel, path: String,
        report: @escaping @Sendable (USBReaderEvent) -> Void = { _ in }
    ) throws(SimulatedCardError) {
        wakeUp = try SimulatedCardError.explaining { () throws(LocalSocketError) in try WakeUp() }
        door = try HostDoor(path: path)
        wishes = Monitor(Wishes(placement: CardPlacement(target)))
        self.model = model
        self.report = report
    }

    /// Whether the machine's end has made the socket, and not this server.
    var isConnecting: Bool { door.isHosts }

    /// Serves until `stop`. Blocks its thread.
    public func run() {
        var bench = Bench(port: USBPort(model.device), field: FieldBench(wakeUp: wakeUp))
        var pause = Self.shortestPause
        // Why there is no machine, as it was reported last.
        var outage: End?
        defer {
            bench.field.clear(&bench.port.device)
            door.remove()
        }
        while !wishes.withLock({ $0.isStopped }) {
            fulfil(&bench)
            switch door.open(wakeUp) {
            case .connection(let connection):
                let hadSaid = outage
                guard let end = serve(connection, &bench) else { continue }
                // Whoever hangs up at once, or is hung up on, may come to the same end again and again.
                switch end {
                case .lost(wasGreeted: true): (pause, outage) = (Self.shortestPause, nil)
                case .lost(wasGreeted: false), .refused: outage = end
                }
                guard door.isHosts else {
                    report(end)
                    continue
                }
                if end != hadSaid { report(end) }
                rest(&pause)
            case .woken: break
            case .absent(let reason):
                if outage == nil { report(.waiting(reason)) }
                outage = outage ?? .lost(wasGreeted: false)
                rest(&pause)
            }
        }
    }

    /// How a connection ended.
    private enum End: Equatable {
        case lost(wasGreeted: Bool)
        case refused(String)
    }

    private func report(_ end: End) {
        switch end {
        case .lost(let wasGreeted): report(wasGreeted ? .lost : .waiting("it hung up without a greeting"))
        case .refused(let reason): report(.refused(reason))
        }
    }

    /// Waits before the next try, longer each time.
    private func rest(_ pause: inout Int32) {
        _ = wakeUp.wait(milliseconds: pause)
        pause = min(2 * pause, Self.longestPause)
    }

    /// Ends `run`, which unplugs the reader.
    public func stop() { change { $0.isStopped = true } }

    /// Removes the card from the reader.
    public func pull() { change { $0.placement.remove() } }

    /// Puts the card back, or another one in its place.
    public func insert(_ target: (any PN532Target)? = nil) { change { $0.placement.put(target) } }

    /// Unplugs the reader: its power is gone, and so is the card's.
    public func unplug() { change { $0.isPlugged = false } }

    /// Plugs the reader in again.
    public func plugIn() { change { $0.isPlugged = true } }

    /// Makes the reader misbehave at the exchange, or the card go mute at the power-up, that the fault names, counted
    /// from now; `nil` restores normal operation.
    public func misbehave(_ fault: USBReaderFault?) {
        change {
            $0.fault = fault
            $0.faults += 1
        }
    }

    func change(_ body: (inout Wishes) -> Void) {
        wishes.withLock(body)
        wakeUp.call()
    }

    /// Serves a machine. Returns how the connection ended; `nil`: the server was stopped.
    private func serve(_ connection: SocketConnection, _ bench: inout Bench) -> End? {
        var (output, isAnnounced): ([UInt8], Bool) = ([], false)
        bench.port.connect()
        defer { bench.port.restart() }
        while !wishes.withLock({ $0.isStopped }) {
            // First a new question: what the card answered to an earlier one is not for it.
            ask(&bench)
            // What the card answered last, before what was done to it since.
            let answer = bench.field.takeAnswer()
            fulfil(&bench)
            if let answer { bring(answer.bytes, &bench) }
            let now = ContinuousClock.now
            bench.port.device.tick(at: now)
            deliver(&bench)
            output += bench.port.takeOutput()
            guard output.count <= Self.mostOutput else { return .refused("more than it reads the answers to") }
            if !output.isEmpty {
                guard let sent = connection.sendSome(output) else { return .lost(wasGreeted: isAnnounced) }
                output.removeFirst(sent)
            }
            let limit = WakeUp.milliseconds(to: bench.port.device.deadline, now)
            switch connection.receiveSome(timeout: limit, hasMore: !output.isEmpty) {
            case .bytes(let bytes):
                do throws(RedirectionViolation) { try bench.port.receive(bytes, at: .now) } catch {
                    return .refused(error.reason)
                }
            case .silence, .woken: break
            case .ended: return .lost(wasGreeted: isAnnounced)
            }
            if bench.port.isGreeted, !isAnnounced {
                isAnnounced = true
                if bench.port.isPlugged { report(.connected) }
            }
        }
        return nil
    }

    /// Does what is wished.
    private func fulfil(_ bench: inout Bench) {
        let wishes = wishes.withLock { $0 }
        if wishes.faults != bench.faults {
            bench.faults = wishes.faults
            bench.take(wishes.fault)
        }
        if wishes.isPlugged != bench.port.isPlugged {
            wishes.isPlugged ? bench.port.plugIn() : bench.port.unplug()
            report(wishes.isPlugged ? .pluggedIn : .unplugged)
        }
        bench.field.follow(wishes.placement, at: &bench.port.device)
        for event in bench.port.device.takeEvents() { USBReaderEvent(event).map(report) }
    }
}

extension USBReaderServer {
    /// Passes the card's response to the reader.
    private func bring(_ answer: [UInt8]?, _ bench: inout Bench) {
        if let error = bench.field.fileError { report(.cardFailed(error)) }
        if bench.isFaulty, let kind = bench.fault?.kind {
            bench.port.fault = kind
            report(.misbehaved(kind))
        }
        let isMute = bench.isFaulty && bench.fault?.kind == .mute
        bench.port.device.cardAnswered(isMute ? nil : answer)
    }

    /// Sends the reader's command to the card, if there is a new one.
    private func ask(_ bench: inout Bench) {
        let earlier = bench.field.exchanges
        bench.field.ask(for: &bench.port.device)
        if bench.field.exchanges != earlier, bench.isFaulty, bench.fault?.kind == .unplug {
            change { $0.isPlugged = false }
        }
    }

    /// Reports that the card has become mute.
    private func noticeMuteness(_ bench: inout Bench) {
        let isMute = bench.port.device.muting.isMute
        if isMute, !bench.wasMute { report(.misbehaved(.mutePower)) }
        bench.wasMute = isMute
    }

    /// Sends the reader's commands to the card, and what it has to say to the host.
    private func deliver(_ bench: inout Bench) {
        noticeMuteness(&bench)
        ask(&bench)
        bench.port.move()
        for event in bench.port.device.takeEvents() { USBReaderEvent(event).map(report) }
    }
}
