import Bitcoin
import Glibc

/// How long coin selection takes with many coins to choose from. The coins are always the same.
struct CoinSelectionFigures {
    private let count: Int
    private static let rounds = 9

    /// - Parameter count: the number of coins.
    init(count: Int) { self.count = count }

    /// P2WPKH coins of 1 000 to 10 000 000 sat, evenly spread over the orders of magnitude.
    private func candidates(_ generator: inout CountingGenerator) throws -> [CoinCandidate] {
        try (0..<count).map { _ in
            let satoshis =
                Int64.random(in: 1_000...10_000_000, using: &generator) >> Int64.random(in: 0...13, using: &generator)
            guard let amount = Amount(satoshis: max(1_000, satoshis)) else { throw CoinSelectionError.amountsOverflow }
            return CoinCandidate(amount: amount, satisfactionWeight: 107, hasWitness: true)
        }
    }

    func run() throws {
        print("choosing among \(count) coins, median of \(Self.rounds) (longest):")
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
                figure("\(amount) at \(rate)") { () throws(CoinSelectionError) in
                    try selector.select(from: coins, using: &generator)
                }
            }
        }
        try drafts()
    }

    /// The same including everything around it: coins with outpoints and scripts, order and lock time.
    private func drafts() throws {
        var generator = CountingGenerator()
        let candidates = try candidates(&generator)
        let own = SpendingInformation(scriptPubKey: Self.script(2))
        let coins = try candidates.enumerated().map { number, candidate in
            var id = [UInt8](repeating: 0, count: 32)
            withUnsafeBytes(of: number) { id.replaceSubrange(0..<8, with: $0) }
            guard let id = TransactionID(id) else { throw CoinSelectionError.amountsOverflow }
            return Coin(
                outpoint: Outpoint(transactionID: id, index: 0), amount: candidate.amount, spending: own)
        }
        guard let amount = Amount(satoshis: 50_000_000) else { return }
        let request = TransactionRequest(
            coins: coins, payments: [Payment(to: Self.script(1), amount: amount)], remainder: .change(own),
            feeDemand: .rate(try FeeRate(parsing: "10")))
        figure("a whole draft of \(amount)") { () throws(BuildingError) in
            try TransactionDraft(request, using: &generator).selection
        }
    }

    /// Prints the median and the longest time of a selection, and its result.
    private func figure<Failure: Error>(_ name: String, _ work: () throws(Failure) -> CoinSelection) {
        var times: [Duration] = []
        var answer = ""
        for _ in 0..<Self.rounds {
            let start = ContinuousClock.now
            do throws(Failure) {
                let selection = try work()
                answer = "\(selection.algorithm.rawValue), \(selection.indices.count) inputs"
            } catch { answer = "\(error)" }
            times.append(ContinuousClock.now - start)
        }
        times.sort()
        print("  \(times[Self.rounds / 2]) (\(times[Self.rounds - 1])): \(name): \(answer)")
    }

    private static func script(_ byte: UInt8) -> Script { Script([0, 20] + [UInt8](repeating: byte, count: 20)) }
}

/// Numbers that are the same in every run: SplitMix64 from zero.
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
