import LocalSockets
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
        var placement: CardPlacement
        var fault: PN532Fault?
        /// Incremented with every change of the fault.
        var faults = 0
        var isStopped = false
    }

    /// What the running server knows besides the chip.
    private struct Bench {
        var chip: PN532Chip
        var field: FieldBench
        var faults = 0
    }

    private let wishes: Monitor<Wishes>
    // Declared before the terminal, so that it is released first: the port's number may later belong to another.
    private let link: PortLink?
    private let terminal: PseudoTerminal
    private let wakeUp: WakeUp
    private let report: @Sendable (PN532Event) -> Void
    private let edition: PN532Edition

    /// Creates a server whose port exists but does not answer yet.
    /// - Parameters:
    ///   - target: what is in the chip's field.
    ///   - link: a symbolic link to the port, created now and removed when the server ends; one that a killed server
    ///     left behind is replaced. Up to 127 bytes, no colon.
    ///   - report: called with every event, on the thread that runs.
    /// - Throws: `SimulatedCardError`: `.fileFailed`; for the link's path `.exists` if something else is there,
    ///   `.inUse` if it is another server's link; `.badAddress` for a link that libnfc cannot name.
    public convenience init(
        target: any PN532Target, link: String? = nil, report: @escaping @Sendable (PN532Event) -> Void = { _ in }
    ) throws(SimulatedCardError) {
        try self.init(.pn532, target: target, link: link, report: report)
    }

    /// Creates a server with another chip of the family, which libnfc tells apart by what it says; see the other initializer.
    package init(
        _ edition: PN532Edition, target: any PN532Target, link: String?,
        report: @escaping @Sendable (PN532Event) -> Void = { _ in }
    ) throws(SimulatedCardError) {
        self.edition = edition
        wakeUp = try SimulatedCardError.explaining { () throws(LocalSocketError) in try WakeUp() }
        terminal = try PseudoTerminal()
        if let link { self.link = try PortLink(link, to: terminal.path) } else { self.link = nil }
        wishes = Monitor(Wishes(placement: CardPlacement(target)))
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
        var bench = Bench(chip: PN532Chip(edition), field: FieldBench(wakeUp: wakeUp))
        defer {
            bench.field.clear(&bench.chip)
            link?.remove()
        }
        while true {
            let wishes = wishes.withLock { $0 }
            if wishes.isStopped { return }
            fulfil(wishes, at: &bench)
            // First a new question: what the card answered to an earlier one is not for it.
            bench.field.ask(for: &bench.chip)
            bringAnswer(at: &bench)
            let now = ContinuousClock.now
            bench.chip.tick(at: now)
            deliver(from: &bench)
            switch wakeUp.wait(
                for: terminal.descriptor, milliseconds: WakeUp.milliseconds(to: bench.chip.deadline, now))
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
        change { $0.placement.remove() }
    }

    /// Puts the card back, or another one in its place.
    public func insert(_ target: (any PN532Target)? = nil) {
        change { $0.placement.put(target) }
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
        bench.field.follow(wishes.placement, at: &bench.chip)
    }

    /// Passes the card's response to the chip.
    private func bringAnswer(at bench: inout Bench) {
        guard let answer = bench.field.takeAnswer() else { return }
        if let error = bench.field.fileError { report(.cardFailed(error)) }
        bench.chip.cardAnswered(answer.bytes)
    }

    /// Sends the chip's commands to the card, and the chip's output to the host.
    private func deliver(from bench: inout Bench) {
        bench.field.ask(for: &bench.chip)
        for event in bench.chip.takeEvents() { report(event) }
        let output = bench.chip.takeOutput()
        if !output.isEmpty { terminal.write(output) }
    }
}
