import Bitcoin
import SmartCard
import TapManager
import TapProtocol
import TapSimulator

/// How many commands a card receives in order to sign, counted at the simulated card.
struct RoundTrips {
    private let inputCount: Int

    init(inputCount: Int) { self.inputCount = inputCount }

    func run() async throws {
        var options = SimulatedCardOptions(product: .tapsigner)
        options.network = .test
        options.cvc = "123456"
        options.seed = [1]
        let card = try SimulatedCard(options, waitDuration: .zero)
        let reader = SimulatedReader(card: card)
        let cvc = try CVC("123456")
        let account = try await setUp(reader, cvc: cvc, root: try card.record.rootKey)
        let psbt = try spend(account)

        // A new process would begin here: SELECT, then everything that signing takes.
        reader.resetCounts()
        let tapCard = TapCard(reader: reader)
        let ident = try await tapCard.perform { $0.status.ident }
        let driver = CardDriver(
            card: tapCard, ident: ident, customRoots: [try card.record.rootKey], journal: .inMemory(of: ident))
        let flow = SignFlow(driver: driver, cvc: cvc)
        let outcome = await flow.sign(try await flow.prepare(psbt, network: .test, policy: SigningPolicy()))
        let counts = reader.exchangeCounts
        print("Signing \(inputCount) inputs:")
        for (command, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(count)  \(command)") }
        let total = counts.values.reduce(0, +)
        let signs = counts["sign"] ?? 0
        print(
            "\(total) round trips for \(outcome.added) signatures: \(signs - outcome.added) repeats, \(total - signs) others"
        )
    }

    private func setUp(_ reader: SimulatedReader, cvc: CVC, root: PublicKey) async throws -> Account {
        let card = TapCard(reader: reader)
        let ident = try await card.perform { $0.status.ident }
        let driver = CardDriver(card: card, ident: ident, customRoots: [root], journal: .inMemory(of: ident))
        let goal = SetupFlow.Goal(
            path: BenchmarkWallet.account, chainCode: BenchmarkWallet.chainCode, isChainCodeNamed: true,
            newCVC: nil)
        let result = try await SetupFlow(driver: driver, cvc: cvc, goal: goal).run { _ in }
        await card.disconnect()
        return result.account
    }

    /// A PSBT that spends the card's own coins.
    private func spend(_ account: Account) throws -> PSBT {
        try BenchmarkWallet(account: account).psbt(kind: .p2wpkh, inputCount: inputCount)
    }
}

extension FlowJournal {
    /// A journal that exists only in this process.
    static func inMemory(of card: CardIdent) -> FlowJournal {
        FlowJournal(store: MemoryStore(), card: card) { UnixTime(seconds: 0) }
    }
}
