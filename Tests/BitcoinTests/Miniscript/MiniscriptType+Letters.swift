@testable import Bitcoin

extension MiniscriptType {
    /// BIP-379's letters for kinds, arguments, what is left, and malleability, in the order of the alphabet.
    private static let alphabet: [(Self, String)] = [
        (.base, "B"), (.key, "K"), (.verify, "V"), (.wrapped, "W"), (.dissatisfiable, "d"), (.expressive, "e"),
        (.forced, "f"), (.nonmalleable, "m"), (.nonzero, "n"), (.oneArgument, "o"), (.safe, "s"), (.unit, "u"),
        (.zeroArguments, "z"),
    ]

    /// The properties of malleability.
    static let malleability: Self = [.expressive, .forced, .nonmalleable, .safe]

    /// The kind and the properties, but for those that are not asked for.
    func letters(without others: Self = []) -> String {
        Self.alphabet.filter { contains($0.0) && !others.contains($0.0) }.map(\.1).joined()
    }
}
