import Bitcoin
import SmartCard
import Synchronization
import TapManager
import TapProtocol
import TapSimulator
import TestSupport

/// A simulated card on a simulated reader, and the wallet that its key is.
package struct FlowBench: Sendable {
    /// The CVC of every card here before a flow changes it.
    package static let cvc = "123456"

    package let simulated: SimulatedCard
    package let reader: SimulatedReader
    package let watch = ExchangeWatch()
    package let ident: CardIdent
    /// What outlives the programs that work with the card.
    package let store: MemoryStore
    /// The way of the program that runs now to the store.
    package let mortal: MortalStore
    /// The reader as programs see it.
    package let unsteady: UnsteadyReader
    /// Who is told what passes between the programs and the card, if anybody.
    package var trace: (@Sendable (TraceEvent) -> Void)?

    /// A new card whose keys follow from `generator`.
    package init(
        _ product: SimulatedProduct = .tapsigner, using generator: inout SeededGenerator,
        _ change: (inout SimulatedCardOptions) -> Void = { _ in }
    ) throws {
        var options = SimulatedCardOptions(product: product)
        options.network = .test
        options.cvc = Self.cvc
        options.seed = generator.bytes(8...8)
        options.unluckyPercent = 0
        change(&options)
        try self.init(SimulatedCard(options, waitDuration: .zero))
    }

    private init(_ simulated: SimulatedCard, store: MemoryStore = MemoryStore()) throws {
        (self.simulated, self.store) = (simulated, store)
        reader = SimulatedReader(card: simulated)
        unsteady = UnsteadyReader(reader)
        mortal = MortalStore(store) { [reader] in reader.pull() }
        ident = CardIdent(of: try simulated.record.cardKey)
        reader.interceptor = watch
    }

    /// A card that was set up: at `m/84h/1h/0h`, backed up once, with its first CVC.
    package static func ready(
        _ product: SimulatedProduct = .tapsigner, using generator: inout SeededGenerator,
        _ change: (inout SimulatedCardOptions) -> Void = { _ in }
    ) async throws -> FlowBench {
        let bench = try FlowBench(product, using: &generator, change)
        let goal = SetupFlow.Goal(
            path: nil, chainCode: try generator.chainCode(), isChainCodeNamed: false,
            newCVC: nil)
        _ = try await bench.run { try await SetupFlow(driver: $0, cvc: CVC(Self.cvc), goal: goal).run { _ in } }
        bench.reader.resetCounts()
        return bench
    }

    /// Another card with the same content, on a reader of its own.
    /// - Parameter store: `nil`: one that has nothing but the card's proven accounts.
    package func copy(store: MemoryStore? = nil) throws -> FlowBench {
        let copy = try FlowBench(simulated.copied(), store: store ?? MemoryStore())
        guard store == nil else { return copy }
        let cardKey = try record.cardKey
        for path in ["m"] + Self.usualPaths {
            guard let account = self.store.provenAccount(of: cardKey, at: try DerivationPath(parsing: path)) else {
                continue
            }
            copy.store.save(account)
        }
        return copy
    }

    /// The first accounts that wallets use.
    package static let usualPaths = ["m/44h/1h/0h", "m/49h/1h/0h", "m/84h/1h/0h"]

    /// Has the card prove its keys at the paths that wallets use, so that the store knows them.
    package func proveUsualAccounts() async throws {
        let paths = try Self.usualPaths.map { try DerivationPath(parsing: $0) }
        _ = try await run { try await PathVisitFlow(driver: $0, cvc: CVC(Self.cvc)).keys(at: paths) }
        reader.resetCounts()
    }

    /// The same card with these habits, on a reader of its own, with an empty store.
    package func copy(habits: Set<CardHabit>) throws -> FlowBench { try FlowBench(simulated.copied(habits: habits)) }

    /// Another card, as far used as this one and with the same CVC.
    package func stranger() async throws -> FlowBench {
        var generator = SeededGenerator(for: "stranger")
        let slots = try record.slots
        let next = slots?.first { $0.state != .unsealed }
        let make: (inout SimulatedCardOptions) -> Void = { [record] options in
            options.version = record.version
            options.usedSlots = slots?.count { $0.state == .unsealed } ?? 0
            options.isBlank = next?.state == .unused
        }
        return record.path == nil
            ? try FlowBench(record.product, using: &generator, make)
            : try await FlowBench.ready(record.product, using: &generator, make)
    }

    /// What a program does from its start to its end: of earlier ones it knows what they stored.
    package func run<Value: Sendable>(
        patience: Patience? = nil, events: @escaping FlowEvents = { _ in },
        _ body: (CardDriver) async throws -> Value
    ) async throws -> Value {
        let card = TapCard(reader: unsteady, trace: trace)
        let driver = CardDriver(
            card: card, ident: ident, patience: patience, customRoots: [try SimulatedFactory.standard.rootKey],
            journal: FlowJournal(store: mortal, card: ident) { UnixTime(seconds: 1_800_000_000) }, events: events)
        do {
            let value = try await body(driver)
            await card.disconnect()
            return value
        } catch {
            await card.disconnect()
            throw error
        }
    }

    package var exchangeCount: Int { reader.exchangeCounts.values.reduce(0, +) }
    package var record: SimulatedCardRecord { simulated.record }

    /// The wallet of the card's master key.
    package func wallet() throws -> SampleWallet {
        guard let text = try record.masterKey else { throw FlowError.notSetUp }
        return SampleWallet(master: try ExtendedPrivateKey(parsing: text))
    }
}

/// Counts wrong CVCs, and lets something else disturb the exchanges.
package final class ExchangeWatch: CardInterceptor {
    private struct State {
        var wrongCVCs = 0
        var disturbance: (any CardInterceptor)?
    }

    private let state = Mutex(State())
    /// The end of a card's `{code: 401, error: …}` and of `{error: …, code: 401}`.
    private static let badAuth: [UInt8] = Array("dcode".utf8) + [0x19, 0x01, 0x91]

    package var wrongCVCs: Int { state.withLock { $0.wrongCVCs } }
    package var disturbance: (any CardInterceptor)? {
        get { state.withLock { $0.disturbance } }
        set { state.withLock { $0.disturbance = newValue } }
    }

    package func command(_ exchange: CardExchange) -> CommandInterception { disturbance?.command(exchange) ?? .pass }

    package func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
        if answer.firstRange(of: Self.badAuth) != nil { state.withLock { $0.wrongCVCs += 1 } }
        return disturbance?.answer(answer, to: exchange) ?? .pass
    }
}
