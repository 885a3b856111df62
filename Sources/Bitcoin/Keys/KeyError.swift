/// Why bytes are not a key, or a key operation has no result.
public enum KeyError: Error, Equatable, Sendable {
    /// A wrong length: a private key has 32 bytes, a compressed public key 33, an uncompressed one 65.
    case length(Int)
    /// Not a point on the curve, or not in the encoding that its length requires.
    case notOnCurve
    /// Zero, or not below the group order.
    case outOfRange
    /// The result of a derivation or recovery is not a valid key (chance below 2⁻¹²⁷).
    case invalidResult
}
