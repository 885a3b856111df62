import Bitcoin
import ByteCodec
import TestSupport
import Testing

/// Order, lock time, sequence numbers, and what is refused.
@Suite struct TransactionArrangementTests {
    private func payment(_ satoshis: Int64, _ byte: UInt8 = 7) throws -> Payment {
        Payment(to: RandomCoins.script(byte), amount: try #require(Amount(satoshis: satoshis)))
    }

    private func request(_ amounts: [Int64], paying payments: [Int64]) throws -> TransactionRequest {
        let account = try SampleAccount(.p2wpkh)
        return TransactionRequest(
            coins: try account.coins(amounts).coins,
            payments: try payments.enumerated().map { try payment($1, UInt8($0)) },
            remainder: .change(try account.change()), feeDemand: .rate(try FeeRate(parsing: "2")))
    }

    @Test func bip69SortsByIDsAsPeopleSeeThem() throws {
        var generator = SeededGenerator()
        var request = try request(
            [Int64](repeating: 30_000, count: 12), paying: [40_000, 20_000, 20_000, 90_000])
        request.order = .bip69
        request.requiredCoins = Set(request.coins.map(\.outpoint))
        let one = try TransactionDraft(request, using: &generator).unsignedTransaction
        let inputs = one.inputs.map { $0.outpoint.transactionID.description }
        #expect(inputs == inputs.sorted())
        let outputs = one.outputs.map(\.value)
        #expect(outputs == outputs.sorted())
        #expect(outputs.count == 5)
        let equal = one.outputs.filter { $0.value == 20_000 }.map { Hex.encode($0.scriptPubKey.bytes) }
        #expect(equal.count == 2 && equal == equal.sorted())
        request.coins.shuffle(using: &generator)
        request.payments.shuffle(using: &generator)
        #expect(try TransactionDraft(request, using: &generator).unsignedTransaction == one)
    }

    /// The example of BIP-69 in which two inputs differ only in their numbers.
    @Test func bip69SortsOutputsOfOneTransactionByTheirNumbers() throws {
        let id = try #require(
            TransactionID(parsing: "35288d269cee1941eaebb2ea85e32b42cdb2b04284a56d8b14dcc3f5c65d6055"))
        let spending = try SampleAccount(.p2wpkh).descriptor.spending()
        let amount = try #require(Amount(satoshis: 100_000))
        var generator = SeededGenerator()
        var request = try request([], paying: [150_000])
        request.coins = [1, 0].map {
            Coin(outpoint: Outpoint(transactionID: id, index: $0), amount: amount, spending: spending)
        }
        request.order = .bip69
        let draft = try TransactionDraft(request, using: &generator)
        #expect(draft.unsignedTransaction.inputs.map(\.outpoint.index) == [0, 1])
    }

    @Test func changeStandsAnywhere() throws {
        var generator = SeededGenerator()
        let request = try request([100_000, 100_000, 100_000], paying: [120_000, 30_000])
        var places: Set<Int?> = []
        for _ in 0..<100 { places.insert(try TransactionDraft(request, using: &generator).remainderIndex) }
        #expect(places == [0, 1, 2])
    }

    @Test func theSameSeedMakesTheSameDraft() throws {
        let generator = SeededGenerator()
        var request = try request([100_000, 80_000, 60_000], paying: [120_000])
        request.lockTime = .discouragingFeeSniping(tip: 800_000)
        var one = generator
        var other = generator
        let first = try TransactionDraft(request, using: &one)
        #expect(try TransactionDraft(request, using: &other).unsignedTransaction == first.unsignedTransaction)
    }

    @Test func lockTimesDiscourageFeeSniping() throws {
        var generator = SeededGenerator()
        var request = try request([100_000], paying: [50_000])
        request.lockTime = .discouragingFeeSniping(tip: 800_000)
        var now = 0
        let rounds = 1_000
        for _ in 0..<rounds {
            let transaction = try TransactionDraft(request, using: &generator).unsignedTransaction
            #expect((799_901...800_000).contains(transaction.lockTime))
            #expect(transaction.inputs.allSatisfy { $0.sequence == 0xFFFF_FFFD })
            if transaction.lockTime == 800_000 { now += 1 }
        }
        // Nine in ten, and one in a hundred of the rest: this far from 901 is seen once in 10²⁰ runs.
        #expect((800...990).contains(now))
        for (tip, least) in [(UInt32(0), UInt32(0)), (5, 0), (99, 0), (600_000_000, 499_999_900)] {
            request.lockTime = .discouragingFeeSniping(tip: tip)
            for _ in 0..<50 {
                let lockTime = try TransactionDraft(request, using: &generator).unsignedTransaction.lockTime
                #expect((least...min(tip, 499_999_999)).contains(lockTime))
            }
        }
        request.lockTime = .fixed(1_700_000_000)
        request.sequence = 0xFFFF_FFFE
        let fixed = try TransactionDraft(request, using: &generator).unsignedTransaction
        #expect(fixed.lockTime == 1_700_000_000)
        #expect(fixed.inputs[0].sequence == 0xFFFF_FFFE)
    }

    @Test func wrongCoinsAreRefused() throws {
        var generator = SeededGenerator()
        var request = try request([100_000, 80_000], paying: [50_000])
        let coin = request.coins[0]
        request.coins.append(coin)
        #expect(throws: BuildingError.duplicateCoin(coin.outpoint)) {
            try TransactionDraft(request, using: &generator)
        }
        request.coins = [request.coins[1]]
        request.requiredCoins = [coin.outpoint]
        #expect(throws: BuildingError.noSuchCoin(coin.outpoint)) {
            try TransactionDraft(request, using: &generator)
        }
        request.requiredCoins = []
        let hidden = SpendingInformation(scriptPubKey: .p2sh(Script([0x51])))
        let unknown = Coin(outpoint: coin.outpoint, amount: coin.amount, spending: hidden)
        request.coins = [unknown]
        #expect(throws: BuildingError.weightUnknown(coin.outpoint)) {
            try TransactionDraft(request, using: &generator)
        }
        request.coins = []
        #expect(throws: BuildingError.self) { try TransactionDraft(request, using: &generator) }
    }

    /// A server that lies about an amount, or sends another transaction.
    @Test func previousTransactionsProveTheCoins() throws {
        var generator = SeededGenerator()
        let (coins, previous) = try SampleAccount(.p2wpkh).coins([100_000, 70_000])
        var request = try request([], paying: [50_000])
        request.coins = [coins[0]]
        let draft = try TransactionDraft(request, using: &generator)
        let outpoint = coins[0].outpoint
        #expect(throws: BuildingError.previousTransactionMissing(outpoint)) {
            try draft.psbt(previousTransactions: [previous[1]])
        }
        #expect(try draft.psbt(previousTransactions: previous).inputs[0].nonWitnessUTXO == previous[0])
        let more = try #require(Amount(satoshis: 100_001))
        request.coins = [Coin(outpoint: outpoint, amount: more, spending: coins[0].spending)]
        #expect(throws: BuildingError.coinDiffers(outpoint)) {
            try TransactionDraft(request, using: &generator).psbt(previousTransactions: previous)
        }
        request.coins = [Coin(outpoint: outpoint, amount: coins[0].amount, spending: coins[1].spending)]
        #expect(throws: BuildingError.coinDiffers(outpoint)) {
            try TransactionDraft(request, using: &generator).psbt(previousTransactions: previous)
        }
        let beyond = Outpoint(transactionID: outpoint.transactionID, index: 2)
        request.coins = [Coin(outpoint: beyond, amount: coins[0].amount, spending: coins[0].spending)]
        #expect(throws: BuildingError.noSuchOutput(beyond)) {
            try TransactionDraft(request, using: &generator).psbt(previousTransactions: previous)
        }
    }

    @Test func ownPaymentsAreDescribed() throws {
        var generator = SeededGenerator()
        let account = try SampleAccount(.p2wshMulti)
        let (coins, previous) = try account.coins([100_000])
        let own = try account.descriptor.spending(index: 9)
        let request = TransactionRequest(
            coins: coins, payments: [], remainder: .drain(Payment(to: own, amount: .zero)),
            feeDemand: .rate(try FeeRate(parsing: "1")))
        let draft = try TransactionDraft(request, using: &generator)
        let psbt = try draft.psbt(
            previousTransactions: previous, extendedKeys: account.descriptor.extendedKeyDerivations)
        #expect(draft.remainderIndex == 0)
        #expect(psbt.outputs[0].witnessScript == own.witnessScript)
        #expect(Set(psbt.outputs[0].derivations) == Set(own.derivations))
        #expect(psbt.globalExtendedKeys.count == 3)
    }
}
