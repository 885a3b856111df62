import Bitcoin
import TestSupport
import Testing

@Suite struct ReplacingTests {
    private let account: SampleAccount
    private let coins: [Coin]
    private let previous: [PreviousTransaction]

    init() throws {
        account = try SampleAccount(.p2wpkh)
        (coins, previous) = try account.coins([100_000, 60_000, 40_000])
    }

    private func amount(_ satoshis: Int64) throws -> Amount { try #require(Amount(satoshis: satoshis)) }

    private func original(_ satoshis: Int64, rate: String = "2", sequence: UInt32 = 0xFFFF_FFFD) throws
        -> TransactionDraft
    {
        var generator = SeededGenerator()
        var request = TransactionRequest(
            coins: [coins[0]], payments: [Payment(to: RandomCoins.script(7), amount: try amount(satoshis))],
            remainder: .change(try account.change()), feeDemand: .rate(try FeeRate(parsing: rate)))
        request.sequence = sequence
        return try TransactionDraft(request, using: &generator)
    }

    private func replacement(
        of draft: TransactionDraft, rate: String, further: [Coin] = [], descendantFees: Int64 = 0
    ) throws -> TransactionDraft {
        var generator = SeededGenerator()
        let request = try TransactionRequest(
            replacing: draft.unsignedTransaction, spending: draft.coins, remainderIndex: draft.remainderIndex,
            remainder: .change(try account.change()), furtherCoins: further, rate: try FeeRate(parsing: rate),
            descendantFees: try amount(descendantFees))
        return try TransactionDraft(request, using: &generator)
    }

    @Test func changePaysForAHigherRate() throws {
        let old = try original(50_000)
        #expect(old.fee.satoshis == 282)
        let new = try replacement(of: old, rate: "10")
        #expect(new.fee.satoshis == 1_410)
        #expect(new.coins == old.coins)
        #expect(new.payments.contains(Payment(to: RandomCoins.script(7), amount: try amount(50_000))))
        let index = try #require(new.remainderIndex)
        #expect(new.payments[index].amount.satoshis == 100_000 - 50_000 - 1_410)
        #expect(new.payments[index].spending == (try account.change()))
    }

    /// A little more is not enough: the new one pays for its own relaying on top of the old one's fee.
    @Test func rulesThreeAndFourAreKept() throws {
        let old = try original(50_000)
        #expect(try replacement(of: old, rate: "2.1").fee.satoshis == 282 + 141)
        #expect(try replacement(of: old, rate: "3").fee.satoshis == 282 + 141)
        #expect(try replacement(of: old, rate: "3.1").fee.satoshis == 438)
        #expect(try replacement(of: old, rate: "3.1", descendantFees: 5_000).fee.satoshis == 282 + 5_000 + 141)
    }

    @Test func furtherCoinsHelpWhereChangeDoesNotSuffice() throws {
        let old = try original(99_000)
        let new = try replacement(of: old, rate: "20", further: Array(coins.dropFirst()) + [coins[0]])
        #expect(Set(new.coins).isSuperset(of: old.coins))
        #expect(new.coins.count > 1)
        let fee = try #require(FeeRate(parsing: "20").fee(forVirtualSize: new.virtualSize))
        #expect(new.remainderIndex == nil ? new.fee >= fee : new.fee == fee)
        #expect(throws: BuildingError.self) { try replacement(of: old, rate: "20") }
        let unconfirmed = coins.dropFirst().map {
            Coin(outpoint: $0.outpoint, amount: $0.amount, spending: $0.spending, isConfirmed: false)
        }
        #expect(throws: BuildingError.self) { try replacement(of: old, rate: "20", further: unconfirmed) }
    }

    @Test func aDrainPaysFromWhatItSends() throws {
        var generator = SeededGenerator()
        let request = TransactionRequest(
            coins: coins, payments: [], remainder: .drain(Payment(to: RandomCoins.script(8), amount: .zero)),
            feeDemand: .rate(try FeeRate(parsing: "1")))
        let old = try TransactionDraft(request, using: &generator)
        let (further, _) = try SampleAccount(.p2pkh).coins([90_000])
        let replacing = try TransactionRequest(
            replacing: old.unsignedTransaction, spending: coins, remainderIndex: 0, remainder: request.remainder,
            furtherCoins: further, rate: try FeeRate(parsing: "7"))
        let new = try TransactionDraft(replacing, using: &generator)
        #expect(Set(new.coins) == Set(coins))
        #expect(new.fee.satoshis == 7 * Int64(new.virtualSize))
        #expect(new.payments.map(\.amount.satoshis) == [200_000 - new.fee.satoshis])
    }

    /// Over random transactions: the same coins and payments, a fee by the rules, and every satoshi accounted for.
    @Test func replacementsKeepTheRules() throws {
        var generator = SeededGenerator()
        var replaced = 0
        for _ in 0..<200 {
            let (coins, _) = try account.coins(
                (0..<6).map { _ in Int64.random(in: 3_000...200_000, using: &generator) })
            let payment = Payment(
                to: RandomCoins.script(7), amount: try amount(Int64.random(in: 1_000...150_000, using: &generator)))
            let low = Int64.random(in: 1_000...20_000, using: &generator)
            let high = low + 1 + Int64.random(in: 0...30_000, using: &generator)
            var request = TransactionRequest(
                coins: Array(coins.prefix(3)), payments: [payment], remainder: .change(try account.change()),
                feeDemand: .rate(try #require(FeeRate(satoshisPerKiloVirtualByte: low))))
            guard let old = try? TransactionDraft(request, using: &generator) else { continue }
            let rate = try #require(FeeRate(satoshisPerKiloVirtualByte: high))
            do {
                request = try TransactionRequest(
                    replacing: old.unsignedTransaction, spending: coins, remainderIndex: old.remainderIndex,
                    remainder: .change(try account.change(1)), furtherCoins: coins, rate: rate)
            } catch BuildingError.rateNotHigher(let than) {
                // Without change the old one paid more than was asked for.
                #expect(old.remainderIndex == nil && than >= rate)
                continue
            }
            guard let new = try? TransactionDraft(request, using: &generator) else { continue }
            #expect(Set(new.coins).isSuperset(of: old.coins))
            #expect(new.payments.contains(payment))
            #expect(new.fee.satoshis >= old.fee.satoshis + Int64(new.virtualSize))
            #expect(try new.fee >= #require(rate.fee(forVirtualSize: new.virtualSize)))
            let paid = new.payments.reduce(0) { $0 + $1.amount.satoshis }
            #expect(new.coins.reduce(0) { $0 + $1.amount.satoshis } == paid + new.fee.satoshis)
            #expect(!new.unsignedTransaction.outputs.contains { $0.isDust })
            replaced += 1
        }
        #expect(replaced > 50)
    }

    /// The size of a signed transaction is its own, and that of an unsigned one is estimated: the same rate either way, or
    /// a higher one when a signature happens to be short.
    @Test func signedAndUnsignedOnesAreAlike() async throws {
        let old = try original(50_000, rate: "5")
        var psbt = try old.psbt(previousTransactions: previous)
        _ = try account.sign(&psbt)
        try psbt.finalizeInputs()
        try await psbt.expectVerified()
        for transaction in [old.unsignedTransaction, try psbt.extractedTransaction()] {
            #expect {
                try TransactionRequest(
                    replacing: transaction, spending: old.coins, remainderIndex: old.remainderIndex,
                    remainder: .change(account.change()), rate: FeeRate(parsing: "5"))
            } throws: { error in
                guard case BuildingError.rateNotHigher(let rate) = error else { return false }
                return try rate >= FeeRate(parsing: "5") && rate < FeeRate(parsing: "5.1")
            }
        }
    }

    @Test func whatCannotBeReplacedIsRefused() throws {
        let change = TransactionRequest.Remainder.change(try account.change())
        let rate = try FeeRate(parsing: "20")
        let old = try original(50_000)
        let final = try original(50_000, sequence: 0xFFFF_FFFE)
        #expect(throws: BuildingError.notReplaceable) {
            try TransactionRequest(
                replacing: final.unsignedTransaction, spending: final.coins, remainderIndex: nil, remainder: change,
                rate: rate)
        }
        #expect(throws: BuildingError.noSuchCoin(coins[0].outpoint)) {
            try TransactionRequest(
                replacing: old.unsignedTransaction, spending: [coins[1]], remainderIndex: nil, remainder: change,
                rate: rate)
        }
        #expect(throws: BuildingError.duplicateCoin(coins[0].outpoint)) {
            try TransactionRequest(
                replacing: old.unsignedTransaction, spending: [coins[0], coins[0]], remainderIndex: nil,
                remainder: change, rate: rate)
        }
        #expect(throws: BuildingError.noSuchChange(2)) {
            try TransactionRequest(
                replacing: old.unsignedTransaction, spending: coins, remainderIndex: 2, remainder: change, rate: rate)
        }
        var printing = old.unsignedTransaction
        printing.outputs[0].value = 100_001
        #expect(throws: BuildingError.amountsOverflow) {
            try TransactionRequest(
                replacing: printing, spending: coins, remainderIndex: nil, remainder: change, rate: rate)
        }
    }

    @Test func errorsSayWhatIsWrong() throws {
        let outpoint = coins[0].outpoint
        let errors: [BuildingError] = [
            .selection(.noPayments), .duplicateCoin(outpoint), .noSuchCoin(outpoint), .weightUnknown(outpoint),
            .previousTransactionMissing(outpoint), .noSuchOutput(outpoint), .coinDiffers(outpoint), .psbt(.empty),
            .notReplaceable, .rateNotHigher(than: .relay), .noSuchChange(1), .amountsOverflow,
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
    }
}
