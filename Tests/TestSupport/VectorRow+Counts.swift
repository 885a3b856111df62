extension Sequence<VectorRow> {
    /// How many rows there are of each kind: compared with the expected numbers, so that a lost row fails a test.
    public var countsByKind: [String: Int] {
        reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
    }
}
