import SmartCard

/// The readers as of the last look; reports what has changed at the next.
struct PCSCKnownReaders {
    private var states: [(name: String, state: PCSCReaderState)] = []

    /// Takes over the present state.
    /// - Returns: what happened since the last look: departures first, a card's before its reader's.
    mutating func update(_ seen: [(name: String, state: PCSCReaderState)]) -> [ReaderEvent] {
        var events: [ReaderEvent] = []
        for (name, old) in states {
            let new = seen.first { $0.name == name }?.state
            let wasAway = new.map { !$0.isCardPresent || $0.eventCount != old.eventCount } ?? true
            if old.isCardPresent, wasAway { events.append(.cardRemoved(PCSCReader(name: name))) }
            if new == nil { events.append(.readerDetached(PCSCReader(name: name))) }
        }
        for (name, new) in seen {
            let old = states.first { $0.name == name }?.state
            if old == nil { events.append(.readerAttached(PCSCReader(name: name))) }
            let isKnown = old.map { $0.isCardPresent && $0.eventCount == new.eventCount } ?? false
            if new.isCardPresent, !isKnown { events.append(.cardInserted(PCSCReader(name: name))) }
        }
        states = seen
        return events
    }
}
