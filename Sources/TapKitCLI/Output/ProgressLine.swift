import Synchronization
import TapManager
import TapProtocol

/// What flows and the search for a wallet's addresses do, as it happens, always on standard error: one redrawn line with a
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
    /// Whether it was said that a card is simulated.
    private let hasToldSimulator = Atomic<Bool>(false)
    /// What is being shown; `nil` in a pause.
    private let showing = Mutex<(events: ManagerEvents, task: Task<Void, Never>)?>(nil)

    /// Shows what this manager's flows do.
    init(_ console: Console, of manager: CardManager) {
        self.console = console
        self.manager = manager
        style = console.isFollowed ? .json : console.isErrorTerminal ? .redrawn : .lines
    }

    /// Runs something while the events of its flows are shown. All are shown when it returns.
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

    /// Shows the rest of what has happened, and ends the line, so that something else can be written.
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
            console.redraw("\(addresses.counted("address", "addresses")) looked for, \(used) used…")
        default: return
        }
    }

    private func show(_ event: FlowEvent, of card: CardIdent) {
        if case .proven(_, isSimulated: true) = event {
            clear()
            if !hasToldSimulator.exchange(true, ordering: .relaxed) {
                console.note("This card is SIMULATED: the simulator's root certified it.")
            }
        }
        switch style {
        case .json: console.progress(JSONAnswer.text(FlowEventDocument(event, of: card)))
        case .redrawn: if !event.isProof { console.redraw(Self.bar(event) + words(event)) }
        case .lines: if isWorthALine(event) { console.note(words(event)) }
        }
    }

    /// Ends the redrawn line, so that what follows starts on a line of its own.
    private func clear() { if style == .redrawn { console.redraw("") } }

    /// Without a terminal a line stays: only what takes long or changes the card gets one.
    private func isWorthALine(_ event: FlowEvent) -> Bool {
        switch event {
        case .provingCard, .proven, .lookingAtSlots: false
        case .signed(let done, let total): done == total || done.isMultiple(of: 25)
        case .securityDelay(let seconds): seconds.isMultiple(of: 5)
        default: true
        }
    }

    private static let barWidth = 20

    /// How much is done, for what can be counted.
    private static func bar(_ event: FlowEvent) -> String {
        guard case .signed(let done, let total) = event, total > 0 else { return "" }
        let filled = min(barWidth, barWidth * done / total)
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: barWidth - filled) + "] "
    }

    private func words(_ event: FlowEvent) -> String {
        switch event {
        case .provingCard, .proven: "Checking that the card is genuine…"
        case .pickingKey: "The card picks its key…"
        case .pickingSlotKey(let slot): "The card picks a key for slot \(slot)…"
        case .lookingAtSlots: "Asking about the slots…"
        case .signingMessage(let address): "Signing as \(address)…"
        case .openingSlot(let slot): "Asking for the key of slot \(slot)…"
        case .changingPath(let path): "Moving the card to \(path)…"
        case .backingUp: "Fetching the encrypted backup…"
        case .changingCVC: "Changing the CVC…"
        case .securityDelay(let seconds):
            "Security delay after wrong CVCs: \(seconds) s left. Leave the card on the reader."
        case .signed(let done, let total): "Signed \(done) of \(total). Leave the card on the reader."
        case .waitingForCard(let ident): "The card is away. Lay \(manager.label(of: ident)) back on the reader…"
        case .waitingForReader(let ident):
            "The reader is away, or its service ended. Bring it back, with \(manager.label(of: ident)) on it…"
        case .wrongCard(let found, let expected):
            "That is another card, \(manager.label(of: found)). Lay \(manager.label(of: expected)) on the reader…"
        case .unreadableCard(let expected):
            "What lies there does not answer as a tap card. Take it off, then lay \(manager.label(of: expected)) flat and alone on the reader…"
        case .cardReturned: "A card is back."
        }
    }
}

extension FlowEvent {
    /// Whether it tells that the card was proven, which is shown in another way.
    fileprivate var isProof: Bool { if case .proven = self { true } else { false } }
}
