import Bitcoin
import FlowSupport
import TestSupport

/// What a server does to a wallet's chain.
enum ServerLie: CaseIterable, Sendable {
    /// A spend of a coin that nobody signed.
    case inventedSpend
    /// A spend with the signature of another one.
    case stolenSignature
    /// A true spend without its witnesses, or with others: the id stays.
    case otherWitness
    /// Two spends of one coin, both signed once, in two blocks.
    case twoInBlocks
    /// A spend and what replaced it, both waiting.
    case replacedBeside
    /// Money from nowhere.
    case inventedDeposit
    /// A true spend that is kept quiet about.
    case withheldSpend
    /// A true deposit that is kept quiet about.
    case withheldDeposit
    /// Everything twice.
    case repeated
    /// The last first.
    case reordered
    /// Histories of addresses that nobody paid.
    case movedIndexes
    /// Another transaction than asked for.
    case otherTransaction
    /// A deposit that is more than there is.
    case moreMoney
    /// Deposits that are more than there is together.
    case moreMoneyTogether
}

/// A wallet's true story, and what a server makes of it.
struct ServerStory {
    let bench: WalletBench
    /// Every spend that the wallet's keys signed, with its signatures.
    private(set) var signed: Set<[UInt8]> = []
    /// The wallet's coins that are not spent in the true story.
    private(set) var coins: [Outpoint] = []
    /// The lies.
    private(set) var told: [ServerLie] = []
    private var spends: [Transaction] = []
    private var deposits: [Outpoint] = []
    private var salt: UInt32 = 1

    /// Deposits, payments and change, some of them waiting for a block.
    init(using generator: inout SeededGenerator) throws {
        bench = try WalletBench(SampleWallet.Kind.allCases.randomElement(using: &generator) ?? .p2wpkh)
        for _ in 0..<Int.random(in: 2...6, using: &generator) { try deposit(using: &generator) }
        for _ in 0..<Int.random(in: 1...4, using: &generator) { try spend(using: &generator) }
    }

    private mutating func deposit(amount: Int64? = nil, using generator: inout SeededGenerator) throws {
        salt += 1
        let script = try bench.script(
            Int.random(in: 0...1, using: &generator), UInt32.random(in: 0..<12, using: &generator))
        let coin = try bench.source.pay(
            script, amount ?? .random(in: 20_000...90_000, using: &generator), salt: salt,
            height: Bool.random(using: &generator) ? .random(in: 100...190, using: &generator) : nil)
        coins.append(coin)
        deposits.append(coin)
    }

    /// A payment of the wallet's, signed, and told of unless it is kept.
    @discardableResult
    private mutating func spend(
        _ coin: Outpoint? = nil, height: Int?? = nil, isTold: Bool = true, using generator: inout SeededGenerator
    ) throws -> Transaction? {
        guard let coin = coin ?? coins.randomElement(using: &generator),
            let value = bench.source.transaction(coin.transactionID)?.outputs[Int(coin.index)].value
        else { return nil }
        let change = Int64.random(in: 1_000...max(1_001, value / 2), using: &generator)
        let transaction = try bench.spending(
            [coin],
            [
                WalletBench.output(max(600, value - change - 500)),
                WalletBench.output(change, try bench.script(1, UInt32.random(in: 0..<12, using: &generator))),
            ])
        signed.insert(transaction.serialized())
        guard isTold else { return transaction }
        coins.removeAll { $0 == coin }
        coins.append(Outpoint(transactionID: transaction.id, index: 1))
        spends.append(transaction)
        let parent = bench.source.telling.histories.values.joined().first { $0.transactionID == coin.transactionID }
        let usual = parent?.height.flatMap { Bool.random(using: &generator) ? min(199, $0 + 1) : nil }
        bench.source.add(transaction, height: height ?? usual)
        return transaction
    }

    /// Tells a lie.
    mutating func tell(_ lie: ServerLie, using generator: inout SeededGenerator) throws {
        told.append(lie)
        let chain = bench.source
        let height = Bool.random(using: &generator) ? 150 : nil
        switch lie {
        case .inventedSpend:
            guard let coin = coins.randomElement(using: &generator) else { return }
            let output = Bool.random(using: &generator) ? WalletBench.stranger : try bench.script(0, 11)
            chain.add(
                Transaction(inputs: [TransactionInput(outpoint: coin)], outputs: [WalletBench.output(7_000, output)]),
                height: height)
        case .stolenSignature:
            guard let coin = coins.randomElement(using: &generator),
                let source = spends.randomElement(using: &generator)
            else { return }
            var input = source.inputs[0]
            input.outpoint = coin
            chain.add(Transaction(inputs: [input], outputs: [WalletBench.output(7_001)]), height: height)
        case .otherWitness:
            guard let spend = spends.randomElement(using: &generator), !spend.inputs[0].witness.isEmpty else { return }
            var other = spend
            other.inputs[0].witness = Bool.random(using: &generator) ? [] : [[1], [2]]
            chain.replace(spend.id, by: other)
        case .twoInBlocks, .replacedBeside:
            guard let coin = coins.randomElement(using: &generator) else { return }
            let isMined = lie == .twoInBlocks
            let other = try spend(coin, isTold: false, using: &generator)
            try spend(coin, height: isMined ? .some(160) : .some(nil), using: &generator)
            if let other { chain.add(other, height: isMined ? 161 : nil) }
        case .inventedDeposit: try deposit(using: &generator)
        case .withheldSpend: if let spend = spends.randomElement(using: &generator) { chain.withhold(spend.id) }
        case .withheldDeposit:
            if let coin = deposits.randomElement(using: &generator) { chain.withhold(coin.transactionID) }
        case .repeated: chain.disorder(.repeating)
        case .reordered: chain.disorder(.reversed)
        case .movedIndexes:
            salt += 1
            let foreign = try chain.pay(WalletBench.stranger, 5_000, salt: salt)
            for index in 0..<UInt32.random(in: 20...90, using: &generator) {
                chain.claim(foreign.transactionID, for: try bench.script(Int(index % 2), 12 + index / 2), height: 100)
            }
        case .otherTransaction:
            guard let spend = spends.randomElement(using: &generator), let coin = deposits.first,
                let other = chain.transaction(coin.transactionID)
            else { return }
            chain.replace(spend.id, by: other)
        case .moreMoney: try deposit(amount: 2_100_000_000_000_000, using: &generator)
        case .moreMoneyTogether:
            for _ in 0..<2 { try deposit(amount: 2_000_000_000_000_000, using: &generator) }
        }
    }
}
