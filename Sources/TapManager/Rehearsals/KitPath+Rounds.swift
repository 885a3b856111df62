import Bitcoin

/// Who signs in a rehearsal.
extension KitPath {
    /// Sets of keys with which the path can be taken, so many that each key takes part which can; empty: there are not
    /// enough keys.
    /// - Parameters:
    ///   - has: whether there is the key at a seat.
    ///   - knows: whether the preimage of a hash is known; only a choice asks.
    /// - Throws: `CancellationError`.
    func rounds(has: (KeySeat) -> Bool, knows: (PreimageHash, [UInt8]) -> Bool) throws -> [Set<KeySeat>] {
        let own = signers.map { $0.seats.filter(has) }
        if let policy, let path { return try rounds(policy, path.path, own.flatMap(\.self), knows: knows) }
        guard zip(signers, own).allSatisfy({ $0.threshold <= $1.count }) else { return [] }
        let counts = zip(signers, own).map { ($1.count + $0.threshold - 1) / max(1, $0.threshold) }
        return (0..<(counts.max() ?? 1)).map { round in
            Set(
                zip(signers, own).flatMap { group, seats in
                    let start = min(round * group.threshold, seats.count - group.threshold)
                    return seats.dropFirst(start).prefix(group.threshold)
                })
        }
    }

    /// For each key the fewest others with which it is enough, if it is needed then, and if they are not enough with shorter
    /// locks, which is another path. Those that stand with the key in the policy stay as long as the others are enough without.
    private func rounds(
        _ policy: SpendingPolicy<KeySeat>, _ path: Descriptor.Path, _ own: [KeySeat],
        knows: (PreimageHash, [UInt8]) -> Bool
    ) throws -> [Set<KeySeat>] {
        let choice = policy.opened(by: path.locks)
        guard choice.isMet(signed: Set(own).contains, knows: knows) else { return [] }
        let earlier = path.shorterLocks.map { policy.opened(by: $0) }
        var rounds: [Set<KeySeat>] = []
        let places = policy.places
        for seat in own where !rounds.contains(where: { $0.contains(seat) }) {
            try Task.checkCancellation()
            guard let place = places[seat] else { continue }
            func nearness(_ other: KeySeat) -> Int { zip(place, places[other] ?? []).prefix { $0 == $1 }.count }
            let others = own.filter { $0 != seat }.enumerated().sorted {
                (nearness($0.element), $0.offset) < (nearness($1.element), $1.offset)
            }
            func isMet(_ policy: SpendingPolicy<KeySeat>, _ signers: Set<KeySeat>) -> Bool {
                policy.isMet(signed: signers.contains, knows: knows)
            }
            // Who remains depends on who is left out first.
            for order in [others.map(\.element), others.reversed().map(\.element)] {
                var signers = Set(own)
                for other in order + [seat] where isMet(choice, signers.subtracting([other])) { signers.remove(other) }
                guard signers.contains(seat), !earlier.contains(where: { isMet($0, signers) }) else { continue }
                rounds.append(signers)
                break
            }
        }
        return rounds
    }
}

extension SpendingPolicy<KeySeat> {
    /// For each key its place in every threshold around it, from the outermost on.
    fileprivate var places: [KeySeat: [Int]] {
        switch self {
        case .always, .never, .older, .after, .preimage: return [:]
        case .key(let seat): return [seat: []]
        case .threshold(_, let parts):
            var places: [KeySeat: [Int]] = [:]
            for (number, part) in parts.enumerated() {
                for (seat, place) in part.places { places[seat] = [number] + place }
            }
            return places
        }
    }
}
