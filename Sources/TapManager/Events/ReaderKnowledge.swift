import SmartCard

/// What is known of readers and of what lies on them, without asking any of them.
struct ReaderKnowledge: Sendable {
    /// The readers that are attached, in the order in which they came, while somebody watches them.
    private var attached: [any CardReader] = []
    /// Those of them on which a card lies.
    private var occupied: Set<String> = []
    private var isWatched = false
    /// The card that was found on a reader last, as long as nothing is known against it.
    private var cards: [String: SeenCard] = [:]

    /// How often a card was seen to be taken off each reader.
    private var removals: [String: Int] = [:]

    /// What is there, as a watch that begins now would tell it.
    var presence: [ReaderEvent] {
        attached.flatMap { reader in
            [.readerAttached(reader)] + (occupied.contains(reader.spec) ? [.cardInserted(reader)] : [])
        }
    }

    /// What takes some of the readers away, with what lies on them.
    func departure(of readers: Set<String>) -> [ReaderEvent] {
        attached.filter { readers.contains($0.spec) }.flatMap { reader in
            (occupied.contains(reader.spec) ? [.cardRemoved(reader)] : []) + [ReaderEvent.readerDetached(reader)]
        }
    }

    /// Whether a card lies on a reader; `nil` while nobody watches it.
    func isOccupied(_ reader: String) -> Bool? {
        isWatched && attached.contains { $0.spec == reader } ? occupied.contains(reader) : nil
    }

    /// The card that lies on a reader, as far as is known.
    func card(on reader: String) -> SeenCard? { isOccupied(reader) == false ? nil : cards[reader] }

    /// How often a card was seen to be taken off a reader so far: a look that begins now asks about what lies there now.
    func removals(on reader: String) -> Int { removals[reader, default: 0] }

    /// Somebody looked at a reader.
    /// - Parameter removals: as often a card had been taken off when the look began. One that was taken off since does not lie there.
    /// - Returns: what is new of it.
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

    /// The watch told something.
    /// - Returns: what is new of a card by it.
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

    /// Nobody watches any more: of who came and went from now on nothing is known.
    mutating func isWatchOver() { (attached, occupied, isWatched) = ([], [], false) }
}
