import SmartCard

/// What is known about readers and the cards on them, without asking any of them.
struct ReaderKnowledge: Sendable {
    /// The attached readers, in the order in which they came, while someone watches them.
    private var attached: [any CardReader] = []
    /// Those of them with a card.
    private var occupied: Set<String> = []
    private var isWatched = false
    /// The card that was last found on a reader, until something contradicts that.
    private var cards: [String: SeenCard] = [:]

    /// How often a card was removed from each reader.
    private var removals: [String: Int] = [:]

    /// The current state, as the first events of a new watch.
    var presence: [ReaderEvent] {
        attached.flatMap { reader in
            [.readerAttached(reader)] + (occupied.contains(reader.spec) ? [.cardInserted(reader)] : [])
        }
    }

    /// The events for the removal of some readers, with the cards on them.
    func departure(of readers: Set<String>) -> [ReaderEvent] {
        attached.filter { readers.contains($0.spec) }.flatMap { reader in
            (occupied.contains(reader.spec) ? [.cardRemoved(reader)] : []) + [ReaderEvent.readerDetached(reader)]
        }
    }

    /// Whether a card is on a reader; `nil` while nobody watches it.
    func isOccupied(_ reader: String) -> Bool? {
        isWatched && attached.contains { $0.spec == reader } ? occupied.contains(reader) : nil
    }

    /// The card on a reader, as far as is known.
    func card(on reader: String) -> SeenCard? { isOccupied(reader) == false ? nil : cards[reader] }

    /// How often a card was removed from a reader so far: a look that starts now asks about the card that is there now.
    func removals(on reader: String) -> Int { removals[reader, default: 0] }

    /// Someone examined a reader.
    /// - Parameter removals: how often a card had been removed when the look started. If one was removed since, the
    ///   result is outdated.
    /// - Returns: what is new.
    mutating func saw(_ card: SeenCard?, on reader: String, since removals: Int) -> [CardEvent] {
        guard card == nil || removals == self.removals(on: reader) else { return [] }
        return lies(card, on: reader)
    }

    /// - Parameter card: `nil`: none.
    private mutating func lies(_ card: SeenCard?, on reader: String) -> [CardEvent] {
        let known = cards[reader]
        guard known != card else { return [] }
        cards[reader] = card
        return [known.map(CardEvent.gone), card.map(CardEvent.found)].compactMap(\.self)
    }

    /// The watch reported something.
    /// - Returns: what is new about a card because of it.
    mutating func happened(_ event: ReaderEvent) -> [CardEvent] {
        isWatched = true
        switch event {
        case .readerAttached(let reader):
            if !attached.contains(where: { $0.spec == reader.spec }) { attached.append(reader) }
            return []
        case .cardInserted(let reader):
            occupied.insert(reader.spec)
            return []
        case .readerDetached(let reader):
            attached.removeAll { $0.spec == reader.spec }
            return isTaken(off: reader.spec)
        case .cardRemoved(let reader): return isTaken(off: reader.spec)
        }
    }

    private mutating func isTaken(off reader: String) -> [CardEvent] {
        occupied.remove(reader)
        removals[reader, default: 0] += 1
        return lies(nil, on: reader)
    }

    /// Nobody watches any more: what comes and goes from now on is unknown.
    mutating func isWatchOver() { (attached, occupied, isWatched) = ([], [], false) }
}
