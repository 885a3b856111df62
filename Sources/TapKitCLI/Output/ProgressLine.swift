import AnswerDocuments
import Synchronization
import TapManager
import TapProtocol
import Terminal

/// The progress of flows and of the search for a wallet's addresses, always on standard error: one redrawn line with a
/// bar on a terminal, plain lines elsewhere, JSON lines with `--json --progress`.
final class ProgressLine: Sendable {
    private enum Style {
        case redrawn
        case lines
        case json
    }

    private let console: Console
    private let manager: CardManager
    private let style: Style
    /// Whether the user was told that the card is simulated.
    private let hasToldSimulator = Atomic<Bool>(false)
    /// The events being shown; `nil` during a pause.
    private let showing = Mutex<(events: ManagerEvents, task: Task<Void, Never>)?>(nil)

    /// Shows the progress of this manager's flows.
    init(_ console: Console, of manager: CardManager) {
        self.console = console
        self.manager = manager
        style = console.isFollowed ? .json : console.isErrorTerminal ? .redrawn : .lines
    }

    /// Runs a task while the events of its flows are shown. All are shown when it returns.
    func during<Result>(_ task: () async throws -> Result) async throws -> Result {
        resume()
        let outcome: Swift.Result<Result, any Error>
        do { outcome = .success(try await task()) } catch { outcome = .failure(error) }
        await pause()
        return try outcome.get()
    }

    /// Shows what happens from now on.
    func resume() {
        showing.withLock { showing in
            guard showing == nil else { return }
            let events = manager.events()
            showing = (events, Task { for await event in events { show(event) } })
        }
    }

    /// Shows the remaining events, and ends the line so that something else can be written.
    func pause() async {
        let ended = showing.withLock { showing in
            defer { showing = nil }
            return showing
        }
        ended?.events.end()
        await ended?.task.value
        clear()
    }

    private func show(_ event: ManagerEvent) {
        switch event {
        case .flow(let card, let event): show(event, of: card)
        case .wallet(_, .searching(let addresses, let used, _)):
            guard style == .redrawn, !console.isJSON else { return }
            console.redraw("\(addresses.counted("address", "addresses")) checked, \(used) used…")
        default: return
        }
    }

    private func show(_ event: FlowEvent, of card: CardIdent) {
        if case .proven(_, isSimulated: true) = event {
            clear()
            if !hasToldSimulator.exchange(true, ordering: .relaxed) {
                console.note("This card is SIMULATED: it is certified by the simulator's root.")
            }
        }
        if case .waitingForReader = event, style != .json {
            clear()
            console.note(
                "The reader is gone, or its service stopped. If it is back and nothing happens, tapkit doctor says why."
            )
        }
        switch style {
        case .json: console.progress(JSONAnswer.text(FlowEventDocument(event, of: card)))
        case .redrawn: if !event.isProof { console.redraw(Self.bar(event) + words(event)) }
        case .lines: if isWorthALine(event) { console.note(words(event)) }
        }
    }

    /// Ends the redrawn line, so that what follows starts on a new line.
    private func clear() { if style == .redrawn { console.redraw("") } }

    /// Without a terminal, lines stay: only what takes long or changes the card gets one.
    private func isWorthALine(_ event: FlowEvent) -> Bool {
        switch event {
        case .provingCard, .proven, .lookingAtSlots: false
        case .signed(let done, let total): done == total || done.isMultiple(of: 25)
        case .securityDelay(let seconds): seconds.isMultiple(of: 5)
        default: true
        }
    }

    private static let barWidth = 20

    /// A bar, for events that can be counted.
    private static func bar(_ event: FlowEvent) -> String {
        guard case .signed(let done, let total) = event, total > 0 else { return "" }
        let filled = min(barWidth, barWidth * done / total)
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: barWidth - filled) + "] "
    }

    private func words(_ event: FlowEvent) -> String {
        switch event {
        case .provingCard, .proven: "Checking that the card is genuine…"
        case .pickingKey: "The card is picking its key…"
        case .pickingSlotKey(let slot): "The card is picking a key for slot \(slot)…"
        case .lookingAtSlots: "Reading the slots…"
        case .signingMessage(let address): "Signing as \(address)…"
        case .openingSlot(let slot): "Reading the key of slot \(slot)…"
        case .changingPath(let path): "Moving the card to \(path)…"
        case .backingUp: "Reading the encrypted backup…"
        case .changingCVC: "Changing the CVC…"
        case .securityDelay(let seconds):
            // The seconds are visible on narrow terminals, too.
            "Lockout: \(seconds) s left. Leave the card on the reader."
        case .signed(let done, let total): "Signed \(done) of \(total). Leave the card on the reader."
        case .waitingForCard(let ident): "Card removed. Put \(manager.label(of: ident)) back on the reader…"
        case .waitingForReader(let ident): "Reconnect the reader, with \(manager.label(of: ident)) on it…"
        case .wrongCard(let found, let expected):
            "Wrong card: \(manager.label(of: found)). Put \(manager.label(of: expected)) on the reader…"
        case .unreadableCard(let expected):
            "What is on the reader does not answer as a tap card. Remove it, then put "
                + "\(manager.label(of: expected)) flat on the reader, and nothing else…"
        case .cardReturned: "The card is back."
        }
    }
}

extension FlowEvent {
    /// Whether it reports that the card was proven, which is shown in another way.
    fileprivate var isProof: Bool { if case .proven = self { true } else { false } }
}
