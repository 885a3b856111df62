import Bitcoin
import ByteCodec

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
        /// Some of the first, or the last with a preimage, or the one before it from a date on; of two keys the last needs both.
        case secret
    }

    /// What the conditions are like.
    public var shape: Shape
    /// The number of the time lock, in blocks.
    public var lock: UInt32
    /// Whether the witness script is nested in P2SH.
    public var isNested: Bool
    /// Each byte of the hash of which a preimage is taken.
    public var secret: UInt8 = 1

    /// Lock times from this one on are seconds.
    private static let firstDate: UInt32 = 500_000_000

    /// Conditions from their parts.
    public init(_ shape: Shape, lock: UInt32, isNested: Bool = false) {
        (self.shape, self.lock, self.isNested) = (shape, lock, isNested)
    }

    /// The expression; what nobody can write of so few keys is no expression.
    /// - Parameter texts: the keys, as they are written in a descriptor.
    public func expression(threshold: Int, _ texts: [String]) -> String {
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
        case .secret:
            let hash = "sha256(\(Hex.encode([UInt8](repeating: secret, count: 32))))"
            let (last, date) = (texts[texts.count - 1], "after(\(Self.firstDate + lock))")
            if texts.count == 2 { return "or_i(and_v(v:pk(\(last)),and_v(v:\(hash),\(date))),pk(\(texts[0])))" }
            let first = texts.dropLast(2)
            let together = "multi(\(min(threshold, first.count)),\(first.joined(separator: ",")))"
            let later = "and_v(v:pkh(\(texts[texts.count - 2])),\(date))"
            return "or_i(and_v(v:pk(\(last)),\(hash)),or_i(\(later),\(together)))"
        }
    }
}
