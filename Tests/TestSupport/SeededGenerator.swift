import Foundation

/// A source of numbers that a failed run can be repeated with: prints its seed, and takes it from the environment
/// variable `TAPKIT_TEST_SEED` when that is set, as `.ci/search` does. Otherwise it is always the same, so that nothing fails
/// by chance that has nothing to do with a change.
///
/// The algorithm is SplitMix64.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private static let committed: UInt64 = 20_261_123
    private var state: UInt64

    /// A generator for the test named here; the same seed gives different numbers under different names.
    public init(for test: String = #function) {
        let seed = ProcessInfo.processInfo.environment["TAPKIT_TEST_SEED"].flatMap { UInt64($0) } ?? Self.committed
        print("\(test): TAPKIT_TEST_SEED=\(seed)")
        self.init(for: test, seed: seed)
    }

    /// The generator that the test named here has with this seed, for a run that is kept.
    public init(for test: String, seed: UInt64) {
        state = test.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Random bytes, of a random count in `counts`.
    public mutating func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
        let count = Int.random(in: counts, using: &self)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            withUnsafeBytes(of: next()) { bytes.append(contentsOf: $0.prefix(count - bytes.count)) }
        }
        return bytes
    }

    /// A copy with one to four small faults: a byte changed, put in, or taken out, or the end cut off.
    public mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            let place = Int.random(in: 0...damaged.count, using: &self)
            switch next() % 4 {
            case 0 where place < damaged.count: damaged[place] = UInt8(truncatingIfNeeded: next())
            case 1: damaged.insert(UInt8(truncatingIfNeeded: next()), at: place)
            case 2 where place < damaged.count: damaged.remove(at: place)
            default: damaged.removeLast(min(damaged.count, Int(next() % 8)))
            }
        }
        return damaged
    }
}
