import CSecp256k1

/// libsecp256k1's context, created once per process and blinded with system randomness. Blinding does not change
/// results; it only hides secret-dependent timing and power patterns.
enum CurveContext {
    // Randomized before first use and never changed afterwards; libsecp256k1 allows concurrent use of such a context.
    nonisolated(unsafe) static let shared: OpaquePointer = {
        var generator = SystemRandomNumberGenerator()
        var seed = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        defer { seed.wipe() }
        guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY)),
            secp256k1_context_randomize(context, &seed) == 1
        else { preconditionFailure("libsecp256k1 cannot create its context.") }
        return context
    }()
}
