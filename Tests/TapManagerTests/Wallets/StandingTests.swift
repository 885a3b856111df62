import Bitcoin
import ChainData
import FlowSupport
import TestSupport
import Testing

@testable import TapManager

/// What synchronizing makes of stored transactions: confirmed, replaced, and neither again.
@Suite struct StandingTests {
    let bench: WalletBench
    let store = MemoryStore()

    init() throws { bench = try WalletBench() }

    func manager(_ person: any Interaction = NobodyToAsk(), over other: FakeChain? = nil) -> CardManager {
        CardManager(
            store: store, chain: ChainServers(other ?? bench.source), interaction: person,
            clock: { UnixTime(seconds: 5) })
    }

    func opened() async throws -> OpenedWallet {
        let text = try #require(bench.wallet.descriptors.first?.text)
        return try await manager().addWallet(named: "w", of: .parsing([text]), network: .regtest).wallet
    }

    /// A transaction that spends these coins, as it is stored, and whole.
    func payment(
        _ coins: [Outpoint], _ amount: Int64, wallet: String? = "w", sent: UnixTime? = UnixTime(seconds: 4),
        drains: Bool = false
    ) throws -> (id: TransactionID, whole: Transaction) {
        let psbt = try bench.signedPSBT(spending: coins, [WalletBench.output(amount)])
        let stored = StoredTransaction(
            psbt: psbt, network: .regtest, wallet: wallet, created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1),
            sent: sent, drains: drains)
        _ = try store.updateTransaction(stored.id) { _ throws(StoreError) in stored }
        return (stored.id, try #require(SigningResult(psbt, added: 0).transaction))
    }

    func state(_ id: TransactionID) -> TransactionState? { store.transaction(id)?.summary.state }

    @Test func whatIsInABlockIsConfirmedUntilTheChainTakesItBack() async throws {
        let wallet = try await opened()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let (id, whole) = try payment([coin], 9_000)
        _ = try await manager().synchronize(wallet)
        #expect(state(id) == .sent)
        bench.source.add(whole, height: 199)
        _ = try await manager().synchronize(wallet)
        #expect(state(id) == .confirmed && store.transaction(id)?.summary.confirmations == 2)
        let stored = try #require(store.transaction(id))
        #expect(throws: SettledError.confirmed(id, confirmations: 2)) { try stored.requireOpen() }
        await #expect(throws: SettledError.self) { _ = try await manager().send(stored) }
        await #expect(throws: SettledError.self) { _ = try await manager().sign(stored) }
        await #expect(throws: SettledError.self) { _ = try await manager().bump(stored, to: .rate(.relay)) }
        bench.source.withhold(whole.id)
        let watched = manager()
        let events = watched.events()
        _ = try await watched.synchronize(wallet)
        events.end()
        let told = await events.reduce(into: [ManagerEvent]()) { $0.append($1) }
        #expect(told.contains(.transaction(id, .restored)))
        #expect(state(id) == .sent && store.transaction(id)?.standing == nil)
        #expect(SigningResult(try #require(store.transaction(id)).psbt, added: 0).transaction == whole)
    }

    /// The one that is in a block, and those that it excludes; they stay as they were signed.
    @Test func whatABlockExcludesIsReplaced() async throws {
        let wallet = try await opened()
        let coins = try (0..<2).map { try bench.source.pay(bench.script(0, $0), 10_000, salt: $0 + 1) }
        let (first, _) = try payment(coins, 19_000)
        let (second, whole) = try payment([coins[0]], 8_000)
        let (draft, _) = try payment([coins[0]], 7_000, sent: nil)
        bench.source.add(whole, height: 200)
        let person = ScriptedInteraction(isAgreed: true)
        _ = try await manager(person).synchronize(wallet)
        #expect(state(first) == .replaced && state(second) == .confirmed && state(draft) == .replaced)
        #expect(store.transaction(first)?.standing?.replacedBy == whole.id)
        // A person who replaced his own is told nothing; what can no longer be sent is told, once.
        #expect(person.words == ["overtaken"])
        _ = try await manager(person).synchronize(wallet)
        #expect(person.words == ["overtaken"])
        let stored = try #require(store.transaction(first))
        await #expect(throws: SettledError.replaced(first, by: whole.id)) { _ = try await manager().send(stored) }
        #expect(store.transactionCount() == 3)
    }

    /// A server can say what it likes of others' coins, and make up who spends them: nothing is replaced by that.
    @Test func anInventedSpendOfAForeignCoinReplacesNothing() async throws {
        let wallet = try await opened()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let foreign = Outpoint(
            transactionID: try SampleWallet.funding(WalletBench.stranger, amount: 5, salt: 9).id, index: 0)
        let both = Transaction(
            inputs: [coin, foreign].map { TransactionInput(outpoint: $0) }, outputs: [WalletBench.output(9_000)])
        _ = try store.merge(PSBT(unsignedTransaction: both), wallet: "w", at: UnixTime(seconds: 1))
        bench.source.add(
            Transaction(
                inputs: [TransactionInput(outpoint: foreign)],
                outputs: [WalletBench.output(500, try bench.script(0, 1))]),
            height: 150)
        let chain = try await manager().synchronize(wallet)
        #expect(chain.transactions.count == 2)
        #expect(state(both.id) == .unsigned)
    }

    /// What one server makes of it, an honest one mends; a wallet that has nothing to do with it does not.
    @Test(arguments: [true, false]) func aLieIsMendedByTheNextServer(_ wasSent: Bool) async throws {
        let wallet = try await opened()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let (id, whole) = try payment([coin], 9_000, sent: wasSent ? UnixTime(seconds: 4) : nil)
        let liar = FakeChain()
        liar.add(try #require(bench.source.transaction(coin.transactionID)), height: 100)
        liar.add(whole, height: 110)
        _ = try await manager(over: liar).synchronize(wallet)
        #expect(state(id) == .confirmed && store.transaction(id)?.standing?.isSettled == true)
        let other = try WalletBench(seed: 2)
        let text = try #require(other.wallet.descriptors.first?.text)
        let stranger = try await manager().addWallet(named: "v", of: .parsing([text]), network: .regtest).wallet
        _ = try await manager().synchronize(stranger)
        #expect(state(id) == .confirmed)
        _ = try await manager().synchronize(wallet)
        #expect(state(id) == (wasSent ? .sent : .complete))
        // That server had it.
        #expect(store.transaction(id)?.leftHere == UnixTime(seconds: wasSent ? 4 : 5))
        #expect(SigningResult(try #require(store.transaction(id)).psbt, added: 0).transaction == whole)
    }

    /// What another program sent was given to a server: raising its fee does not delete it.
    @Test func whatAnotherProgramSentStaysWhenItsFeeIsRaised() async throws {
        _ = try await opened()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let (id, whole) = try payment([coin], 9_000, sent: nil)
        try bench.source.pay(bench.script(0, 1), 50_000, salt: 2)
        let unsent = try #require(store.transaction(id))
        bench.source.add(whole, height: nil)
        // What the caller has read is older than what the server reports.
        let new = try await manager().bump(unsent, to: .rate(FeeRate(parsing: "20")))
        let kept = try #require(store.transaction(id))
        #expect(kept.leftHere == UnixTime(seconds: 5) && kept.sent == nil && state(id) == .complete)
        #expect(state(new.id) == .unsigned)
    }

    /// A server that tells only what is unspent does not unsay what another one said.
    @Test func aServerWithoutHistoriesTakesNothingBack() async throws {
        let wallet = try await opened()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let (id, whole) = try payment([coin], 9_000)
        bench.source.add(whole, height: 199)
        _ = try await manager().synchronize(wallet)
        _ = try await manager(over: FakeChain(features: [.unconfirmed])).synchronize(wallet)
        #expect(state(id) == .confirmed)
    }
}
