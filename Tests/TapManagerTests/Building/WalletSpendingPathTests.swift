import Bitcoin
import TestSupport
import Testing

@testable import TapManager

/// When spending paths are open, which one is taken, and what it does to a transaction.
@Suite struct WalletSpendingPathTests {
    private let holders: [SampleWallet]

    init() throws { holders = try [1, 2, 3].map { try SampleWallet(seed: $0) } }

    private var none: KnownPreimages { get throws { try KnownPreimages([], for: []) } }

    private func paths(_ policy: String) throws -> [WalletSpendingPath] {
        WalletSpendingPath.all(of: try SamplePolicy(policy, holders).descriptor())
    }

    private func coin(_ height: Int?) throws -> WalletCoin {
        let id = try #require(TransactionID([UInt8](repeating: 1, count: 32)))
        return WalletCoin(
            outpoint: Outpoint(transactionID: id, index: UInt32(height ?? 0)),
            output: TransactionOutput(value: 1_000, scriptPubKey: Script([1])),
            place: WalletPlace(descriptor: 0, branch: 0, index: 0), height: height, isCoinbase: false)
    }

    @Test(arguments: [
        ("older(10)", 100, 110), ("older(10)", nil, nil), ("after(500)", 100, 501), ("after(500)", nil, 501),
        ("and_v(v:older(10),after(500))", 495, 505), ("and_v(v:older(10),after(500))", 100, 501),
        // Whether a time has passed, blocks do not tell; whether the rest has, they do.
        ("older(4194305)", 100, 0), ("older(4194305)", nil, nil), ("after(1700000000)", nil, 0),
        ("and_v(v:older(10),after(1700000000))", 100, 110),
    ])
    func blocksOpenAPath(_ locks: String, _ height: Int?, _ opening: Int?) throws {
        let path = try #require(try paths("and_v(v:pk(#A),\(locks))").first)
        let coin = try coin(height)
        #expect(path.openingHeight(of: coin) == opening)
        guard let opening, opening > 0 else { return }
        #expect(!path.isOpen(to: coin, after: opening - 2))
        #expect(path.isOpen(to: coin, after: opening - 1))
    }

    /// What is to be expected: a block every ten minutes; times as locks have them, and an hour for the median's lag.
    @Test(
        arguments: [
            ("older(10)", 100, 110, -890 * 600), ("older(10)", nil, nil, nil), ("after(1144)", nil, 1_145, 145 * 600),
            // The coin was confirmed 100 blocks ago, and must be 512 000 s old.
            ("older(4195304)", 900, nil, 512_000 - 60_000), ("older(4195304)", nil, nil, nil),
            ("after(1800000000)", nil, nil, 3_600),
            ("and_v(v:older(10),after(1800000000))", 990, nil, 3_600),
            ("and_v(v:older(1000),after(1800000000))", 990, nil, 990 * 600),
        ] as [(String, Int?, Int?, Int64?)])
    func aPathWithLocksIsExpectedToOpen(_ locks: String, _ height: Int?, _ block: Int?, _ wait: Int64?) throws {
        let path = try #require(try paths("and_v(v:pk(#A),\(locks))").first)
        let clock = BlockClock(height: 1_000, time: UnixTime(seconds: 1_800_000_000))
        let opening = path.terms.opening(confirmed: height, by: clock)
        #expect((opening == nil) == (wait == nil) && opening?.block == block)
        #expect(opening?.time?.seconds == wait.map { $0 + 1_800_000_000 })
        guard let opening, let time = opening.time else { return }
        if let block {
            #expect(opening.isOpen(after: block - 1, at: clock.time) && !opening.isOpen(after: nil, at: clock.time))
            #expect(!opening.isOpen(after: block - 2, at: UnixTime(seconds: .max)))
        } else {
            #expect(opening.isOpen(after: nil, at: time))
            #expect(!opening.isOpen(after: .max, at: UnixTime(seconds: time.seconds - 1)))
        }
    }

    /// Of several coins the last counts; what is not known of one of them is not known of all.
    @Test func theLastCoinsOpeningCounts() {
        let known = { LockOpening(block: $0, time: UnixTime(seconds: Int64($0))) }
        #expect(LockOpening.last(of: [known(3), known(7), known(5)]) == known(7))
        let unknown = LockOpening(block: nil, time: nil)
        #expect(LockOpening.last(of: [known(3), unknown]) == unknown)
        #expect(LockOpening.last(of: []) == nil)
        #expect(LockOpening.isEarlier(known(3), known(4)) && LockOpening.isEarlier(known(3), nil))
        #expect(!LockOpening.isEarlier(nil, known(3)) && !LockOpening.isEarlier(known(3), known(3)))
    }

    /// Without a choice: no preimage before a preimage, open before closed, cheap before dear.
    @Test(arguments: [
        ("or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(10)))", 200, 2),
        ("or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(10)))", 108, 1),
        ("or_d(multi(2,#A,#B),and_v(v:multi(3,#C,#a,#b),older(10)))", 200, 1),
        ("or_d(multi(2,#A,#B),and_v(v:pkh(#C),after(1700000000)))", 200, 1),
        ("or_i(and_v(v:multi(2,#A,#B),pk(#c)),multi(2,#C,#a))", 200, 2),
        ("andor(pk(#A),after(500),and_v(v:pk(#B),older(10)))", 200, 2),
        ("andor(pk(#A),after(500),and_v(v:pk(#B),older(10)))", 101, nil),
        ("andor(pk(#A),sha256(\(String(repeating: "ab", count: 32))),and_v(v:pk(#B),older(10)))", 200, 2),
        ("andor(pk(#A),sha256(\(String(repeating: "ab", count: 32))),and_v(v:pk(#B),older(10)))", 101, 1),
    ])
    func oneIsTaken(_ policy: String, _ height: Int, _ number: Int?) throws {
        func choice(_ coins: [WalletCoin], isChosen: Bool = false) throws -> SpendingPathChoice {
            try SpendingPathChoice(nil, of: paths(policy), none, for: coins, height: height, isChosen: isChosen)
        }
        let coins = [try coin(100)]
        guard let number else {
            #expect(throws: CreationError.notOpen(nil, height: 110)) { try choice(coins) }
            return
        }
        #expect(try choice(coins).path?.number == number)
    }

    /// The internal key's path is the first and the cheapest; without it, the cheapest script is taken that is open.
    @Test func taprootIsSpentByItsKey() throws {
        let account = try DerivationPath(parsing: "m/48h/1h/0h/2h")
        let keys = try holders.map { "[\($0.fingerprint)/48h/1h/0h/2h]\(try $0.extendedKey(account).text)/<0;1>/*" }
        let scripts = "{and_v(v:pk(\(keys[1])),older(10)),multi_a(2,\(keys[1]),\(keys[2]))}"
        let nobody = "50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0"
        for (internalKey, expected) in [(keys[0], [1, 2, 3]), (nobody, [1, 2])] {
            let paths = WalletSpendingPath.all(of: try Descriptor(parsing: "tr(\(internalKey),\(scripts))"))
            #expect(paths.map(\.number) == expected)
            let choice = try SpendingPathChoice(
                nil, of: paths, none, for: [try coin(100)], height: 200, isChosen: false)
            #expect(choice.path?.number == 1)
            if expected.count == 3 { #expect(choice.satisfactionWeight == paths[0].satisfactionWeight) }
            #expect(paths.first { !$0.path.isAlwaysOpen }?.terms.older == [10])
        }
    }

    /// Who has the preimage takes the path at once, and it comes with the PSBT, which on another path does not give it away;
    /// what fits nothing is an error.
    @Test(arguments: PreimageHash.allCases) func aPreimageOpensAPath(_ function: PreimageHash) throws {
        let preimage = [UInt8](repeating: 5, count: 32)
        let hash = Script(function.hash(preimage)).description
        let policy = "andor(pk(#A),\(function.rawValue)(\(hash)),and_v(v:pk(#B),older(10)))"
        let (paths, coins) = (try paths(policy), [try coin(100)])
        #expect(
            try SpendingPathChoice(nil, of: paths, none, for: coins, height: 200, isChosen: false).path?.number == 2)
        let known = try KnownPreimages([preimage], for: paths)
        let choice = try SpendingPathChoice(nil, of: paths, known, for: coins, height: 200, isChosen: false)
        #expect(choice.path?.number == 1)
        var psbt = try SamplePolicy(policy, holders).psbt(inputs: 2)
        known.add(to: &psbt, for: paths[1])
        #expect(psbt.inputs.allSatisfy { $0.preimages.isEmpty })
        known.add(to: &psbt, for: choice.path)
        #expect(
            psbt.inputs.map(\.preimages) == Array(repeating: [function: [function.hash(preimage): preimage]], count: 2))
        var replacement = try SamplePolicy(policy, holders).psbt(inputs: 1)
        KnownPreimages.carry(from: psbt, to: &replacement)
        #expect(replacement.inputs[0].preimages == psbt.inputs[0].preimages)
        // Nor does a payment of everything lose them when its fee is raised.
        let transaction = psbt.unsignedTransaction
        var drain = try PSBT(
            unsignedTransaction: Transaction(inputs: transaction.inputs, outputs: Array(transaction.outputs.prefix(1))))
        for index in psbt.inputs.indices {
            drain[input: index].witnessUTXO = psbt.inputs[index].witnessUTXO
            drain[input: index].nonWitnessUTXO = psbt.inputs[index].nonWitnessUTXO
            drain[input: index].witnessScript = psbt.inputs[index].witnessScript
            for derivation in psbt.inputs[index].derivations { drain[input: index].addDerivation(derivation) }
        }
        KnownPreimages.carry(from: psbt, to: &drain)
        var generator = SeededGenerator()
        let raised = try ReplacedPSBT(drain).drain(
            feeRate: FeeRate(parsing: "700"), lockTime: drain.unsignedTransaction.lockTime, extendedKeys: [],
            using: &generator)
        let carried = Dictionary(
            uniqueKeysWithValues: zip(raised.psbt.unsignedTransaction.inputs, raised.psbt.inputs).map {
                ($0.outpoint, $1.preimages)
            })
        #expect(zip(transaction.inputs, psbt.inputs).allSatisfy { carried[$0.outpoint] == $1.preimages })
        #expect(throws: CreationError.uselessPreimage(2)) {
            try KnownPreimages([preimage, [UInt8](repeating: 6, count: 32)], for: paths)
        }
    }

    /// A path that leaves coins behind is not taken while another one leaves none.
    @Test func noCoinIsLeftBehindForACheapPath() throws {
        let paths = try paths("or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(10)))")
        let (old, young) = (try coin(100), try coin(150))
        for (coins, number) in [([old], 2), ([young], 1), ([old, young], 1)] {
            let choice = try SpendingPathChoice(nil, of: paths, none, for: coins, height: 152, isChosen: false)
            #expect(choice.path?.number == number && choice.coins == coins)
            let chosen = try SpendingPathChoice(nil, of: paths, none, for: coins, height: 152, isChosen: true)
            #expect(chosen.path?.number == number && chosen.coins == coins)
        }
    }

    /// The locks of a path that nobody chose leave it to the signers which way they go.
    @Test func theFeeIsEnoughForEveryWayThatIsOpen() throws {
        let paths = try paths("or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(10)))")
        for (number, height, weighed) in [(nil, 200, 0), (2, 200, 1), (1, 200, 0), (nil, 105, 0)] as [(Int?, Int, Int)]
        {
            let choice = try SpendingPathChoice(
                number, of: paths, none, for: [try coin(100)], height: height, isChosen: false)
            #expect(choice.satisfactionWeight == paths[weighed].satisfactionWeight)
        }
        #expect(paths[0].satisfactionWeight > paths[1].satisfactionWeight)
    }

    /// Where everything is to be spent, no coin is left behind for a cheaper path, whatever has locks.
    @Test func aDrainTakesThePathThatIsOpenToAll() throws {
        let paths = try paths("or_i(and_v(v:pkh(#A),older(20)),and_v(v:multi(2,#B,#C),older(3)))")
        let coins = [try coin(100), try coin(118)]
        for (drains, number, count) in [(true, 2, 2), (false, 1, 1)] {
            let choice = try SpendingPathChoice(
                nil, of: paths, none, for: coins, height: 121, isChosen: false, drains: drains)
            #expect(choice.path?.number == number && choice.coins.count == count)
        }
        // Whether a time has passed is not known.
        let timed = try self.paths("or_i(and_v(v:pkh(#A),older(20)),and_v(v:pkh(#B),older(4194400)))")
        let choice = try SpendingPathChoice(
            nil, of: timed, none, for: coins, height: 121, isChosen: false, drains: true)
        #expect(choice.path?.number == 1 && choice.coins.count == 1)
    }

    /// Of the paths that are open to a coin, one that is open to enough.
    @Test func thePathIsOpenToWhatIsPaid() throws {
        let paths = try paths("or_i(and_v(v:pkh(#A),older(20)),and_v(v:multi(2,#B,#C),older(3)))")
        let (old, young) = (try coin(100), try coin(118))
        let choose = { (needed: Int64) in
            try SpendingPathChoice(
                nil, of: paths, none, for: [old, young], height: 121, isChosen: false, paying: needed)
        }
        for (needed, number, count) in [(old.output.value - 1, 1, 1), (old.output.value, 2, 2), (.max, 1, 1)] {
            let choice = try choose(needed)
            #expect(choice.path?.number == number && choice.coins.count == count)
        }
    }

    @Test func coinsThatAreTooYoungAreLeftOut() throws {
        let paths = try paths("and_v(v:pk(#A),older(10))")
        let (old, young) = (try coin(100), try coin(150))
        let choice = try SpendingPathChoice(1, of: paths, none, for: [old, young], height: 120, isChosen: false)
        #expect(choice.coins == [old])
        #expect(throws: CreationError.notOpen(1, height: 160)) {
            try SpendingPathChoice(1, of: paths, none, for: [old, young], height: 120, isChosen: true)
        }
        #expect(throws: CreationError.noSuchSpendingPath(2, of: 1)) {
            try SpendingPathChoice(2, of: paths, none, for: [old], height: 120, isChosen: false)
        }
    }

    @Test func aTransactionGetsTheLocks() throws {
        func request(_ lockTime: LockTimePolicy) throws -> TransactionRequest {
            let script = SpendingInformation(scriptPubKey: Script([1]))
            var request = TransactionRequest(
                coins: [], payments: [], remainder: .change(script), feeDemand: .rate(try FeeRate(parsing: "1")))
            request.lockTime = lockTime
            return request
        }
        let height = try #require(try paths("and_v(v:pk(#A),and_v(v:older(10),after(500)))").first)
        for (given, expected) in [
            (LockTimePolicy.discouragingFeeSniping(tip: 700), 700), (.discouragingFeeSniping(tip: 400), 500),
            (.fixed(600), 600), (.fixed(0), 500),
        ] {
            var request = try request(given)
            try height.lock(&request)
            #expect(request.lockTime == .fixed(UInt32(expected)) && request.sequence == 10)
        }
        let date = try #require(try paths("and_v(v:pk(#A),after(1700000000))").first)
        var dated = try request(.discouragingFeeSniping(tip: 700))
        try date.lock(&dated)
        #expect(dated.lockTime == .fixed(1_700_000_000))
        for (path, given, needed) in [(height, UInt32(1_700_000_000), UInt32(500)), (date, 700, 1_700_000_000)] {
            var request = try request(.fixed(given))
            #expect(throws: CreationError.otherLockTime(1, needed: needed)) { try path.lock(&request) }
        }
    }
}
