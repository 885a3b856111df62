/// Why bytes are no key, or a key operation has no result.
public enum KeyError: Error, Equatable, Sendable {
    /// A private key has 32 bytes, a compressed public key 33, an uncompressed one 65.
    case length(Int)
    /// Not a point of the curve, or not in the encoding its length asks for.
    case notOnCurve
    /// Zero, or not below the group order.
    case outOfRange
    /// The result of a derivation or recovery is not a valid key (chance below 2⁻¹²⁷).
    case invalidResult
}
