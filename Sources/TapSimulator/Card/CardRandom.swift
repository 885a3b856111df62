import Bitcoin

/// A card's randomness: the system's, or a stream derived from a seed.
///
/// A seeded stream is SHA-256 in counter mode over the seed, the number of the power cycle, and a block number. So the
/// card's file only needs to store the number of power cycles.
struct CardRandom: RandomNumberGenerator, Sendable {
    private enum Source: Sendable {
        case system
        case seeded(prefix: SHA256, nextBlock: UInt64)
    }

    private var source: Source

    /// - Parameters:
    ///   - seed: any bytes; `nil` for the system's randomness.
    ///   - session: which stream of the seed; 0 in the factory, then one per power cycle.
    init(seed: [UInt8]?, session: UInt64) {
        guard let seed else {
            source = .system
            return
        }
        var prefix = SHA256()
        prefix.update("tapkit simulated card randomness".utf8)
        prefix.update(SHA256.hash(seed))
        prefix.update(Self.bytes(of: session))
        source = .seeded(prefix: prefix, nextBlock: 0)
    }

    mutating func next() -> UInt64 {
        switch source {
        case .system:
            var generator = SystemRandomNumberGenerator()
            return generator.next()
        case .seeded(var prefix, let block):
            source = .seeded(prefix: prefix, nextBlock: block &+ 1)
            prefix.update(Self.bytes(of: block))
            return prefix.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// `count` random bytes.
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// A number below `bound`; the modulo bias is below 2⁻³².
    mutating func number(below bound: UInt32) -> Int { Int(next() % UInt64(max(1, bound))) }

    private static func bytes(of number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
