import Synchronization
import TapManager
import TapProtocol

/// A flow's events as people see them: one redrawn line on a terminal, plain lines elsewhere. Always on standard error.
final class ProgressLine: Sendable {
    private let console: Console
    private let isRedrawn: Bool
    private let sawSimulator = Atomic<Bool>(false)

    init(_ console: Console) {
        self.console = console
        isRedrawn = console.isErrorTerminal
    }

    /// Whether the card turned out to be a simulated one.
    var hasSeenSimulator: Bool { sawSimulator.load(ordering: .relaxed) }

    /// Shows an event.
    func show(_ event: FlowEvent) {
        if case .proven(let verdict) = event {
            clear()
            guard let root = verdict.simulatorRoot else { return }
            guard !sawSimulator.exchange(true, ordering: .relaxed) else { return }
            console.note("This card is SIMULATED: \(root) certified it.")
            return
        }
        guard isRedrawn || isWorthALine(event) else { return }
        let text = Self.words(event)
        if isRedrawn { console.redraw(text) } else { console.note(text) }
    }

    /// Ends the redrawn line, so that what follows starts on a line of its own.
    func clear() { if isRedrawn { console.redraw("") } }

    /// Without a terminal a line stays: only what takes long or changes the card gets one.
    private func isWorthALine(_ event: FlowEvent) -> Bool {
        switch event {
        case .provingCard, .proven, .lookingAtSlots: false
        case .signed(let done, let total): done == total || done.isMultiple(of: 25)
        default: true
        }
    }

    private static func words(_ event: FlowEvent) -> String {
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
        case .waitingForCard(let ident): "The card is away. Lay \(ident) back on the reader…"
        case .waitingForReader(let ident):
            "The reader is away, or its service ended. Bring it back, with \(ident) on it…"
        case .wrongCard(let found, let expected): "That is another card, \(found). Lay \(expected) on the reader…"
        case .unreadableCard(let expected):
            "What lies there does not answer as a tap card. Take it off, then lay \(expected) flat and alone on the reader…"
        case .cardReturned: "A card is back."
        }
    }
}

extension ProgressLine {
    /// Runs a flow, ends the progress line however it ends, and turns its error into the verb's failure.
    func during<Result>(
        _ flow: () async throws(FlowError) -> Result
    ) async throws(Failure) -> Result {
        defer { clear() }
        do { return try await flow() } catch { throw Failure(error) }
    }
}
