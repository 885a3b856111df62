import Bitcoin
import Glibc

/// What choosing coins takes, with many coins to choose from. Always the same coins.
struct CoinSelectionFigures {
    private let count: Int
    private static let rounds = 9

    /// - Parameter count: how many coins there are.
    init(count: Int) { self.count = count }

    /// P2WPKH coins of 1 000 to 10 000 000 sat, every magnitude alike.
    private func candidates(_ generator: inout CountingGenerator) throws -> [CoinCandidate] {
        try (0..<count).map { _ in
            let satoshis =
                Int64.random(in: 1_000...10_000_000, using: &generator) >> Int64.random(in: 0...13, using: &generator)
            guard let amount = Amount(satoshis: max(1_000, satoshis)) else { throw CoinSelectionError.amountsOverflow }
            return CoinCandidate(amount: amount, satisfactionWeight: 107, hasWitness: true)
        }
    }

    func run() throws {
        print("choosing among \(count) coins, middle of \(Self.rounds) (longest):")
        for rateText in ["1", "10", "100"] {
            let rate = try FeeRate(parsing: rateText)
            for part: Int64 in [1_000_000, 1_000, 40] {
                var generator = CountingGenerator()
                let coins = try candidates(&generator)
                let sum = coins.reduce(0) { $0 + $1.amount.satoshis }
                guard let amount = Amount(satoshis: max(10_000, sum / part)) else { continue }
                let selector = CoinSelector(
                    payments: [TransactionOutput(amount: amount, scriptPubKey: Self.script(1))],
                    changeScript: Self.script(2), changeSatisfactionWeight: 107, feeDemand: .rate(rate))
                var times: [Duration] = []
                var answer = ""
                for _ in 0..<Self.rounds {
                    let start = ContinuousClock.now
                    do throws(CoinSelectionError) {
                        let selection = try selector.select(from: coins, using: &generator)
                        answer = "\(selection.algorithm.rawValue), \(selection.indices.count) inputs"
                    } catch { answer = "\(error)" }
                    times.append(ContinuousClock.now - start)
                }
                times.sort()
                print(
                    "  \(times[Self.rounds / 2]) (\(times[Self.rounds - 1])): \(amount) at \(rate): \(answer)")
            }
        }
    }

    private static func script(_ byte: UInt8) -> Script { Script([0, 20] + [UInt8](repeating: byte, count: 20)) }
}

/// Numbers that are always the same: SplitMix64 from zero.
private struct CountingGenerator: RandomNumberGenerator {
    private var state: UInt64 = 0

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
