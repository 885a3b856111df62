import TapManager

/// Shows what happens, a few words for each event that a person would care about.
final class Window: Sendable {
    private let events: ManagerEvents
    private let shown: Task<[String], Never>

    init(_ manager: CardManager) {
        let events = manager.events()
        self.events = events
        shown = Task {
            var lines: [String] = []
            for await event in events { if let words = Self.words(event) { lines.append(words) } }
            return lines
        }
    }

    /// Everything that was shown.
    func close() async -> [String] {
        events.end()
        return await shown.value
    }

    private static func words(_ event: ManagerEvent) -> String? {
        switch event {
        case .journal(_, .finished(.setup)): "card set up"
        case .flow(_, .waitingForCard): "card away"
        case .flow(_, .cardReturned): "card back"
        case .flow(_, .openingSlot): "slot opened"
        case .signing(_, .ended(_, _, missing: 0)): "2 of 2"
        case .transaction(_, .sent): "sent"
        case .wallet(_, .synchronized): "synchronized"
        default: nil
        }
    }
}
