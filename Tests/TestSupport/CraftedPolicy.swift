import Bitcoin

/// Conditions that the keys of a crafted script are put in.
public struct CraftedPolicy: Sendable, Hashable {
    /// What the conditions are like.
    public enum Shape: Sendable, Hashable, CaseIterable {
        /// Some of all keys but the last, or the last alone after a time.
        case recovery
        /// Some of all keys, one fewer after a time.
        case decaying
        /// The first two together, or all others together from a height on.
        case heirs
    }

    /// What the conditions are like.
    public var shape: Shape
    /// The number of the time lock, in blocks.
    public var lock: UInt32
    /// Whether the witness script is nested in P2SH.
    public var isNested: Bool

    /// Conditions from their parts.
    public init(_ shape: Shape, lock: UInt32, isNested: Bool = false) {
        (self.shape, self.lock, self.isNested) = (shape, lock, isNested)
    }

    /// The expression; what nobody can write of so few keys is no expression.
    func expression(threshold: Int, _ keys: [PublicKey]) -> String {
        let texts = keys.map { "\($0)" }
        if texts.count == 1 { return "and_v(v:pk(\(texts[0])),older(\(lock)))" }
        switch shape {
        case .recovery:
            let together = texts.dropLast().joined(separator: ",")
            return "or_d(multi(\(threshold),\(together)),and_v(v:pkh(\(texts[texts.count - 1])),older(\(lock))))"
        case .decaying:
            let others = texts.dropFirst().map { ",s:pk(\($0))" }.joined()
            return "thresh(\(threshold + 1),pk(\(texts[0]))\(others),sln:older(\(lock)))"
        case .heirs:
            let others = texts.dropFirst(2).joined(separator: ",")
            return "andor(pk(\(texts[1])),pk(\(texts[0])),and_v(v:multi(1,\(others)),after(\(lock))))"
        }
    }
}
