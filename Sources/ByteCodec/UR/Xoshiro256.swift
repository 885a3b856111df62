/// The generator xoshiro256**, seeded as uniform resources define, so that sender and receiver draw the same numbers.
///
/// Spec: BCR-2024-001, "The Consensus Stack".
struct Xoshiro256: Sendable {
    private var state: [UInt64]

    /// - Parameter seed: 32 bytes: a SHA-256 digest.
    init(seed: [UInt8]) {
        state = (0..<4).map { word in
            (0..<8).reduce(0) { value, index in
                let place = 8 * word + index
                return value << 8 | UInt64(place < seed.count ? seed[place] : 0)
            }
        }
    }

    /// The next 64 bits.
    mutating func next() -> UInt64 {
        let result = Self.rotated(state[1] &* 5, by: 7) &* 9
        let shifted = state[1] << 17
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = Self.rotated(state[3], by: 45)
        return result
    }

    /// The next number from 0 up to 1, which only rounding can reach.
    mutating func nextFraction() -> Double { Double(next()) / 18_446_744_073_709_551_616 }

    /// The next number below `count`, which is at least 1.
    mutating func nextIndex(below count: Int) -> Int { min(count - 1, Int(nextFraction() * Double(count))) }

    /// The numbers below `count` in random order.
    mutating func shuffledIndices(below count: Int) -> [Int] {
        var rest = Array(0..<count)
        return (0..<count).map { _ in rest.remove(at: nextIndex(below: rest.count)) }
    }

    private static func rotated(_ value: UInt64, by count: UInt64) -> UInt64 { value << count | value >> (64 - count) }
}
