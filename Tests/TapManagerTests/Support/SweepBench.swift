import Bitcoin
import FlowSupport
import SmartCard
import Synchronization
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// A SATSCARD, the chain on which its slots are funded, and the store of whoever sweeps them.
struct SweepBench {
    let card: FlowBench
    let chain: FakeChain
    let store = MemoryStore()
    let destination: Address

    /// A card with so many opened slots; the next one is sealed.
    init(
        opened: Int, habits: Set<CardHabit> = [], over chain: FakeChain = FakeChain(.test),
        using generator: inout SeededGenerator
    ) throws {
        self.chain = chain
        card = try FlowBench.satscard(opened: opened, using: &generator) { $0.habits = habits }
        destination = try #require(Address(scriptPubKey: WalletBench.stranger, network: .test))
    }

    /// The address of a slot, counted from 0.
    func address(_ slot: Int) throws -> Address {
        try Address(parsing: try #require(card.slots()[slot].address), network: .test)
    }

    /// Pays a slot.
    func fund(_ slot: Int, _ amount: Int64, salt: UInt32, height: Int? = 100) throws {
        try chain.pay(address(slot).scriptPubKey, amount, salt: salt, height: height)
    }

    /// A manager that asks this person.
    func manager(_ person: any Interaction) throws -> CardManager {
        CardManager(
            store: store, readers: [SimulatedBackend([card.reader])], chain: ChainServers(chain), interaction: person,
            acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 1_800_000_000) })
    }

    /// Does something with the card as one run of a program does. A sweep that comes of it must be valid.
    func run<Result>(
        _ person: any Interaction, _ body: (CardManager, CardAtHand) async throws -> Result
    ) async throws -> Result {
        let manager = try manager(person)
        let found = try await manager.card()
        let result: Result
        do { result = try await body(manager, found) } catch {
            await found.card.disconnect()
            throw error
        }
        await found.card.disconnect()
        if let signing = (result as? SweepReport)?.signing, signing.result.transaction != nil {
            try await signing.expectComplete()
        }
        return result
    }

    /// Sweeps.
    func sweep(
        _ person: any Interaction, _ slots: SweepOrder.Slots = .opened, to destination: Address? = nil,
        fee: FeeChoice = .rate(.relay), takingUnconfirmed: Bool = false, sends: Bool = false
    ) async throws -> SweepReport {
        let order = SweepOrder(
            slots, to: destination ?? self.destination, fee: fee, takesUnconfirmed: takingUnconfirmed, isSent: sends)
        return try await run(person) { manager, found in
            var generator = SeededGenerator(for: "sweep bench")
            return try await manager.sweep(found, order, using: &generator)
        }
    }

    /// How often the card got a command.
    func count(_ command: String) -> Int { card.reader.exchangeCounts[command, default: 0] }
}

/// Takes the card away at the commands of a name, but for the first ones.
final class LossAtCommand: CardInterceptor {
    private let name: String
    private let passed: Mutex<Int>

    /// - Parameter passing: how many get through.
    init(_ name: String, passing: Int = 0) {
        self.name = name
        passed = Mutex(passing)
    }

    func command(_ exchange: CardExchange) -> CommandInterception {
        guard exchange.name == name else { return .pass }
        let isLost = passed.withLock { left in
            left -= 1
            return left < 0
        }
        return isLost ? .fail(ReaderError(.cardRemoved, "The card was taken away.")) : .pass
    }

    func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception { .pass }
}
