import Bitcoin

/// Which extended keys are one holder's. Uniting and asking take as good as no time, however many there are.
struct HolderSets: Sendable {
    private var places: [ExtendedPublicKey: Int] = [:]
    /// For each key another one of the same holder's; itself for one that stands for the holder.
    private var others: [Int] = []
    /// For each key that stands for a holder, how many are his.
    private var counts: [Int] = []

    /// Adds an extended key of a holder of its own, unless it is there.
    mutating func add(_ key: ExtendedPublicKey) {
        guard places[key] == nil else { return }
        places[key] = others.count
        others.append(others.count)
        counts.append(1)
    }

    /// Makes one holder of those who have these extended keys.
    mutating func unite(_ keys: [ExtendedPublicKey]) {
        guard var one = keys.first.flatMap({ holder(of: $0) }) else { return }
        for key in keys.dropFirst() {
            guard var other = holder(of: key), other != one else { continue }
            // The smaller joins the larger, so that the way to whoever stands for it stays short.
            if counts[one] < counts[other] { swap(&one, &other) }
            others[other] = one
            counts[one] += counts[other]
        }
    }

    /// The holder of an extended key; `nil` for one that was not added.
    func holder(of key: ExtendedPublicKey) -> CosignerKeys.Holder? {
        guard var place = places[key] else { return nil }
        while others[place] != place { place = others[place] }
        return place
    }
}
