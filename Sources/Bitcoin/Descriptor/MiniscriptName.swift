/// The name at the start of a miniscript expression, with its wrappers: `and_v`, `l:pk`, `vc:pk_k`, `0`.
///
/// Names that descriptors also use (`pk`, `pkh`, `multi`, `multi_a`) are miniscript only after wrappers.
///
/// Spec: BIP-379, "Specification".
struct MiniscriptName {
    private static let wrappers = Set("asctdvjnlu".utf8)
    private static let constants: Set<Substring> = ["0", "1"]
    private static let shared: Set<Substring> = ["pk", "pkh", "multi", "multi_a"]
    private static let fragments: Set<Substring> = [
        "pk_k", "pk_h", "older", "after", "sha256", "hash256", "ripemd160", "hash160", "andor", "and_v", "and_b",
        "and_n", "or_b", "or_c", "or_d", "or_i", "thresh",
    ]

    /// The name as written.
    let text: String

    /// Reads the start of an expression; `nil` when it is not miniscript.
    init?(startOf expression: Substring) {
        // Longer texts are not names; there may be many wrappers.
        let name = Substring(expression.utf8.prefix { $0 != UInt8(ascii: "(") })
        var fragment = name
        if let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let wrappers = name.utf8[..<colon]
            guard !wrappers.isEmpty, wrappers.allSatisfy(Self.wrappers.contains) else { return nil }
            fragment = Substring(name.utf8[colon...].dropFirst())
        }
        let isConstant = Self.constants.contains(fragment) && name.endIndex == expression.endIndex
        let isFunction = name.endIndex < expression.endIndex
        let isWrapped = fragment.utf8.count < name.utf8.count
        let isFragment = Self.fragments.contains(fragment) || (Self.shared.contains(fragment) && isWrapped)
        guard isConstant || (isFunction && isFragment) else { return nil }
        text = String(name)
    }
}
