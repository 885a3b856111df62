import Bitcoin
import ByteCodec
import TestSupport
import Testing

/// The same wallets before tapkit and before BDK.
@Suite struct IndependentSelectionTests {
    /// A wallet of P2WPKH coins and what it shall pay.
    private struct Purchase {
        let amounts: [Int64]
        let payment: Int64
        /// Satoshis for 1 000 weight units.
        let rate: Int64

        init(_ generator: inout SeededGenerator) {
            let count = Int.random(in: 3...80, using: &generator)
            amounts = (0..<count).map { _ in
                2_000
                    + Int64.random(in: 0...20_000_000, using: &generator)
                    >> Int64.random(in: 0...14, using: &generator)
            }
            let sum = amounts.reduce(0, +)
            // Every part of the wallet, small ones more often.
            payment =
                1_000 + Int64.random(in: 0...sum / 2, using: &generator) >> Int64.random(in: 0...8, using: &generator)
            // 1 to 100 sat/vB, every magnitude alike.
            rate = 250 + Int64.random(in: 0...24_750, using: &generator) >> Int64.random(in: 0...7, using: &generator)
        }
    }

    /// The sum of money over all wallets that a chooser wastes, in four-thousandths of a satoshi: what inputs cost beyond the
    /// long-term rate, change and its spending, or what is lost without change.
    private struct Waste {
        static let longTerm: Int64 = 10_000
        static let inputWeight: Int64 = 271
        static let changeWeight: Int64 = 124

        var total: Int64 = 0

        mutating func add(_ purchase: Purchase, inputs: [Int], hasChange: Bool) {
            let rate = 4 * purchase.rate
            total += Int64(inputs.count) * Self.inputWeight * (rate - Self.longTerm)
            if hasChange {
                total += Self.changeWeight * rate + Self.inputWeight * Self.longTerm
            } else {
                let weight = 4 * 41 + 2 + Int64(inputs.count) * Self.inputWeight
                let taken = inputs.reduce(0) { $0 + purchase.amounts[$1] }
                total += 4_000 * (taken - purchase.payment) - rate * weight
            }
        }
    }

    @Test func noMoreIsWastedThanBDKDoes() async throws {
        var generator = SeededGenerator()
        let purchases = (0..<1_000).map { _ in Purchase(&generator) }
        let account = try SampleAccount(.p2wpkh)
        let branches = try account.descriptor.branches.map { try #require($0.text) }
        let script = RandomCoins.script(7)
        let answer = try await PythonEnvironment.shared().run(
            "select_coins.py",
            [
                "descriptor": branches[0], "change_descriptor": branches[1],
                "sets": purchases.map { purchase in
                    [
                        "amounts_sat": purchase.amounts, "payment_sat": purchase.payment,
                        "payment_script": Hex.encode(script.bytes), "sat_per_kwu": purchase.rate,
                    ] as [String: Any]
                },
            ])
        let choices = try #require(answer["choices"] as? [Any])
        #expect(choices.count == purchases.count)

        // Above the long-term rate few inputs are good, below it many.
        var ours = [false: Waste(), true: Waste()]
        var theirs = ours
        var compared = 0
        let change = try account.change()
        for (purchase, choice) in zip(purchases, choices) {
            let payment = TransactionOutput(value: purchase.payment, scriptPubKey: script)
            let selector = CoinSelector(
                payments: [payment], changeScript: change.scriptPubKey,
                changeSatisfactionWeight: try #require(change.satisfactionWeight),
                feeDemand: .rate(try #require(FeeRate(satoshisPerKiloVirtualByte: 4 * purchase.rate))),
                longTermFeeRate: try #require(FeeRate(satoshisPerKiloVirtualByte: Waste.longTerm)))
            let candidates = try purchase.amounts.map { satoshis in
                let amount = try #require(Amount(satoshis: satoshis))
                return try #require(CoinCandidate(amount: amount, spending: change))
            }
            // BDK reckons with signatures of 72 bytes, so it can find that there is not enough where there just is.
            guard let choice = choice as? [String: Any], let inputs = choice["inputs"] as? [Int] else { continue }
            let selection = try selector.select(from: candidates, using: &generator)
            let isHigh = 4 * purchase.rate > Waste.longTerm
            ours[isHigh]?.add(purchase, inputs: selection.indices, hasChange: selection.change != nil)
            theirs[isHigh]?.add(purchase, inputs: inputs, hasChange: choice["change_sat"] is Int)
            compared += 1
        }
        for isHigh in [false, true] {
            let (ours, theirs) = (try #require(ours[isHigh]), try #require(theirs[isHigh]))
            print("\(isHigh ? "high" : "low") rates: waste \(ours.total / 4_000) sat, BDK's \(theirs.total / 4_000)")
            #expect(ours.total <= theirs.total)
        }
        #expect(compared > 950)
    }
}
