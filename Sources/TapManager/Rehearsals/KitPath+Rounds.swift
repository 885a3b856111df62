import Bitcoin

/// Who signs in a rehearsal.
extension KitPath {
    /// Sets of keys with which the path can be taken, so many that each key takes part which can; empty: there are not
    /// enough keys.
    /// - Parameters:
    ///   - has: whether there is the key at a seat.
    ///   - knows: whether the preimage of a hash is known; only a choice asks.
    func rounds(has: (KeySeat) -> Bool, knows: (PreimageHash, [UInt8]) -> Bool) -> [Set<KeySeat>] {
        let own = signers.map { $0.seats.filter(has) }
        if let policy, let path { return rounds(policy, path.path, own.flatMap(\.self), knows: knows) }
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

    /// For each key the fewest others with which it is enough, if it is needed then: not if they are enough without the
    /// path's locks, which is another path.
    private func rounds(
        _ policy: SpendingPolicy<KeySeat>, _ path: Descriptor.Path, _ own: [KeySeat],
        knows: (PreimageHash, [UInt8]) -> Bool
    ) -> [Set<KeySeat>] {
        let choice = policy.opened(by: path.locks)
        let earlier = path.shorterLocks.map(policy.opened)
        var rounds: [Set<KeySeat>] = []
        for seat in own where !rounds.contains(where: { $0.contains(seat) }) {
            var signers = Set(own)
            guard choice.isMet(signed: signers.contains, knows: knows) else { return [] }
            for other in own.filter({ $0 != seat }) + [seat] {
                signers.remove(other)
                if !choice.isMet(signed: signers.contains, knows: knows) { signers.insert(other) }
            }
            let isEnoughEarlier = earlier.contains { $0.isMet(signed: signers.contains, knows: knows) }
            if signers.contains(seat), !isEnoughEarlier { rounds.append(signers) }
        }
        return rounds
    }
}
