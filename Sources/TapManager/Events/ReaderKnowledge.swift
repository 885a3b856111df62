import SmartCard

/// What is known of readers and of what lies on them, without asking any of them.
struct ReaderKnowledge: Sendable {
    /// The readers that are attached, in the order in which they came, while somebody watches them.
    private var attached: [String] = []
    /// Those of them on which a card lies.
    private var occupied: Set<String> = []
    private var isWatched = false
    /// The card that was found on a reader last, as long as nothing is known against it.
    private var cards: [String: SeenCard] = [:]

    /// What is there, as a watch that begins now would tell it.
    var presence: [ReaderEvent] {
        attached.flatMap { spec in
            [.readerAttached(spec: spec)] + (occupied.contains(spec) ? [.cardInserted(spec: spec)] : [])
        }
    }

    /// Whether a card lies on a reader; `nil` while nobody watches it.
    func isOccupied(_ reader: String) -> Bool? {
        isWatched && attached.contains(reader) ? occupied.contains(reader) : nil
    }

    /// The card that lies on a reader, as far as is known.
    func card(on reader: String) -> SeenCard? { isOccupied(reader) == false ? nil : cards[reader] }

    /// Somebody looked at a reader.
    /// - Returns: what is new of it.
    mutating func saw(_ card: SeenCard?, on reader: String) -> [CardEvent] {
        let known = cards[reader]
        guard known != card else { return [] }
        cards[reader] = card
        return [known.map(CardEvent.gone), card.map(CardEvent.found)].compactMap(\.self)
    }

    /// The watch told something.
    /// - Returns: what is new of a card by it.
    mutating func happened(_ event: ReaderEvent) -> [CardEvent] {
        isWatched = true
        switch event {
        case .readerAttached(let spec):
            if !attached.contains(spec) { attached.append(spec) }
            return []
        case .cardInserted(let spec):
            occupied.insert(spec)
            return []
        case .readerDetached(let spec):
            attached.removeAll { $0 == spec }
            occupied.remove(spec)
            return saw(nil, on: spec)
        case .cardRemoved(let spec):
            occupied.remove(spec)
            return saw(nil, on: spec)
        }
    }

    /// Nobody watches any more: of who came and went from now on nothing is known.
    mutating func isWatchOver() { (attached, occupied, isWatched) = ([], [], false) }
}
