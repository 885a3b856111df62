/// What adds up along a script, and of which the larger counts where the script has alternatives.
protocol MiniscriptSum {
    /// Of an empty script.
    static var nothing: Self { get }
    /// Of one script followed by another.
    static func + (one: Self, other: Self) -> Self
    /// The most that either takes.
    func most(_ other: Self) -> Self
}

extension Optional where Wrapped: MiniscriptSum {
    /// Both; `nil` if one of them is impossible.
    static func + (one: Self, other: Self) -> Self {
        guard let one, let other else { return nil }
        return one + other
    }

    /// Either; `nil` if both are impossible.
    static func | (one: Self, other: Self) -> Self {
        guard let one, let other else { return one ?? other }
        return one.most(other)
    }

    /// What satisfying so many of several parts takes, and satisfying none.
    static func choosing(
        _ threshold: Int, of parts: [(satisfied: Self, dissatisfied: Self)]
    ) -> (satisfied: Self, dissatisfied: Self) {
        // At each index, what satisfying so many of the parts so far takes.
        var sums: [Self] = [.some(.nothing)]
        for part in parts {
            let last = sums.count - 1
            let all = sums[last] + part.satisfied
            for count in stride(from: last, to: 0, by: -1) {
                sums[count] = (sums[count] + part.dissatisfied) | (sums[count - 1] + part.satisfied)
            }
            sums[0] = sums[0] + part.dissatisfied
            if all != nil, last < threshold { sums.append(all) }
        }
        return (threshold < sums.count ? sums[threshold] : nil, sums[0])
    }
}
