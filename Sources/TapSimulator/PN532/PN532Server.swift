import Threads

/// Puts a simulated card into the field of a simulated PN532 on a pseudo-terminal, so that libnfc's driver `pn532_uart`
/// and every program above it see a card on a reader.
///
/// Programs may open the port, close it, die and come back. All functions except `run` may be called from any thread at
/// any time.
///
/// Spec: UM0701-02; libnfc 1.8.0, driver `pn532_uart`.
public final class PN532Server: Sendable {
    private struct Wishes {
        var target: any PN532Target
        var isPresent = true
        /// Incremented whenever a card is removed or put down.
        var placement = 0
        var fault: PN532Fault?
        /// Incremented with every change of the fault.
        var faults = 0
        var isStopped = false
    }

    /// What the running server knows besides the chip.
    private struct Bench {
        var chip = PN532Chip()
        var placement = -1
        var faults = 0
        var powerLosses = 0
        var target: (any PN532Target)?
        var worker: CardWorker?
        /// The number of the last command to the card.
        var asked = 0

        mutating func dismissWorker() {
            worker?.end()
            worker = nil
        }
    }

    private let wishes: Monitor<Wishes>
    // Declared before the terminal, so that it is released first: the port's number may later belong to another.
    private let link: PortLink?
    private let terminal: PseudoTerminal
    private let wakeUp: WakeUp
    private let report: @Sendable (PN532Event) -> Void

    /// Creates a server whose port exists but does not answer yet.
    /// - Parameters:
    ///   - target: what is in the chip's field.
    ///   - link: a symbolic link to the port, created now and removed when the server ends; one that a killed server
    ///     left behind is replaced. Up to 127 bytes, no colon.
    ///   - report: called with every event, on the thread that runs.
    /// - Throws: `SimulatedCardError`: `.fileFailed`; for the link's path `.exists` if something else is there,
    ///   `.inUse` if it is another server's link; `.badAddress` for a link that libnfc cannot name.
    public init(
        target: any PN532Target, link: String? = nil, report: @escaping @Sendable (PN532Event) -> Void = { _ in }
    ) throws(SimulatedCardError) {
        wakeUp = try WakeUp()
        terminal = try PseudoTerminal()
        if let link { self.link = try PortLink(link, to: terminal.path) } else { self.link = nil }
        wishes = Monitor(Wishes(target: target))
        self.report = report
    }

    /// Creates a server with a simulated card in the chip's field; see the other initializer.
    public convenience init(
        card: SimulatedCard, link: String? = nil, report: @escaping @Sendable (PN532Event) -> Void = { _ in }
    ) throws(SimulatedCardError) {
        try self.init(target: card, link: link, report: report)
    }

    /// The port: `/dev/pts/N`, the same for the server's lifetime.
    public var path: String { terminal.path }

    /// Serves until `stop`. Blocks its thread.
    public func run() {
        var bench = Bench()
        defer {
            bench.chip.takeAway()
            bench.dismissWorker()
            link?.remove()
        }
        while true {
            let wishes = wishes.withLock { $0 }
            if wishes.isStopped { return }
            fulfil(wishes, at: &bench)
            bringAnswer(at: &bench)
            let now = ContinuousClock.now
            bench.chip.tick(at: now)
            deliver(from: &bench)
            switch wakeUp.wait(for: terminal.descriptor, milliseconds: Self.milliseconds(to: bench.chip.deadline, now))
            {
            case .woken, .timedOut: break
            case .failed(let reason):
                report(.portFailed(reason))
                return
            case .done:
                bench.chip.receive(terminal.read(), at: .now)
                deliver(from: &bench)
            }
        }
    }

    /// Ends `run`, and removes the link at once; the card is out of the field when `run` returns.
    public func stop() {
        change { $0.isStopped = true }
        link?.remove()
    }

    /// Removes the card from the field.
    public func pull() {
        change {
            $0.isPresent = false
            $0.placement += 1
        }
    }

    /// Puts the card back, or another one in its place.
    public func insert(_ target: (any PN532Target)? = nil) {
        change {
            if $0.isPresent, target == nil { return }
            $0.isPresent = true
            $0.placement += 1
            if let target { $0.target = target }
        }
    }

    /// Makes the chip misbehave, from now on or at the exchange that the fault names, counted from now; `nil` restores
    /// normal operation.
    public func misbehave(_ fault: PN532Fault?) {
        change {
            $0.fault = fault
            $0.faults += 1
        }
    }

    private func change(_ body: (inout Wishes) -> Void) {
        wishes.withLock(body)
        wakeUp.call()
    }

    private func fulfil(_ wishes: Wishes, at bench: inout Bench) {
        if wishes.faults != bench.faults {
            bench.faults = wishes.faults
            bench.chip.misbehave(wishes.fault)
        }
        guard wishes.placement != bench.placement else { return }
        bench.placement = wishes.placement
        bench.chip.takeAway()
        bench.dismissWorker()
        bench.target = wishes.isPresent ? wishes.target : nil
        if let target = bench.target { bench.chip.lay(target) }
    }

    /// Passes the card's response to the chip.
    private func bringAnswer(at bench: inout Bench) {
        guard let answer = bench.worker?.takeAnswer(to: bench.asked) else { return }
        if let error = (bench.target as? SimulatedCard)?.fileError { report(.cardFailed(error)) }
        bench.chip.cardAnswered(answer.bytes)
    }

    /// Sends the chip's commands to the card, and the chip's output to the host.
    private func deliver(from bench: inout Bench) {
        // A card that lost power forgets its command.
        if bench.powerLosses != bench.chip.powerLosses {
            bench.powerLosses = bench.chip.powerLosses
            bench.dismissWorker()
        }
        if let apdu = bench.chip.takeQuestion() {
            if bench.worker == nil { bench.worker = bench.target.flatMap { CardWorker(target: $0, wakeUp: wakeUp) } }
            if let worker = bench.worker { bench.asked = worker.ask(apdu) } else { bench.chip.cardAnswered(nil) }
        }
        for event in bench.chip.takeEvents() { report(event) }
        let output = bench.chip.takeOutput()
        if !output.isEmpty { terminal.write(output) }
    }

    private static func milliseconds(to deadline: ContinuousClock.Instant?, _ now: ContinuousClock.Instant) -> Int32 {
        guard let deadline else { return -1 }
        let (seconds, attoseconds) = (deadline - now).components
        return Int32(clamping: max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1))
    }
}
