import Bitcoin

/// Which extended keys belong to one holder: a union-find structure, in which both operations take almost constant
/// time.
struct HolderSets: Sendable {
    private var places: [ExtendedPublicKey: Int] = [:]
    /// Each key's link to another key of the same holder; a representative links to itself.
    private var others: [Int] = []
    /// The number of keys of each representative's holder.
    private var counts: [Int] = []

    /// Adds an extended key with a holder of its own, unless it is there.
    mutating func add(_ key: ExtendedPublicKey) {
        guard places[key] == nil else { return }
        places[key] = others.count
        others.append(others.count)
        counts.append(1)
    }

    /// Merges the holders of these extended keys into one.
    mutating func unite(_ keys: [ExtendedPublicKey]) {
        guard var one = keys.first.flatMap({ holder(of: $0) }) else { return }
        for key in keys.dropFirst() {
            guard var other = holder(of: key), other != one else { continue }
            // The smaller set joins the larger one, so that paths to the representative stay short.
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
