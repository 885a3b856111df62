import Bitcoin
import ChainData
import FlowSupport
import Synchronization
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Which server a manager asks, and what it does without one.
@Suite struct ChainServersTests {
    /// Servers of several networks, and what was opened.
    private final class Servers: Sendable {
        struct Closed: Error, Equatable {}

        let chains: [Network: FakeChain]
        private let state = Mutex((opened: [Network](), isClosed: false))

        init(_ networks: Network...) {
            chains = Dictionary(uniqueKeysWithValues: networks.map { ($0, FakeChain($0)) })
        }

        /// The networks for which a server was asked for, in order.
        var opened: [Network] { state.withLock { $0.opened } }

        /// Throws instead of opening servers, or does so no more.
        func throwInstead(_ isClosed: Bool) { state.withLock { $0.isClosed = isClosed } }

        var servers: ChainServers {
            ChainServers { [self] network in
                let isClosed = state.withLock { state in
                    state.opened.append(network)
                    return state.isClosed
                }
                if isClosed { throw Closed() }
                return chains[network]
            }
        }
    }

    private let bench: WalletBench

    init() throws { bench = try WalletBench() }

    private func manager(_ servers: ChainServers?) -> CardManager {
        CardManager(store: MemoryStore(), chain: servers, clock: { UnixTime(seconds: 5) })
    }

    private func add(_ manager: CardManager) async throws -> OpenedWallet {
        let text = try #require(bench.wallet.descriptors.first?.text)
        return try await manager.addWallet(named: "w", of: .parsing([text]), network: .regtest).wallet
    }

    /// A stored transaction of the wallet's, signed.
    private func signed(_ manager: CardManager, on network: Network?) throws -> StoredTransaction {
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let previous = try #require(bench.source.transaction(coin.transactionID))
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: [TransactionInput(outpoint: coin)], outputs: [WalletBench.output(9_900)]))
        psbt[input: 0].nonWitnessUTXO = try PreviousTransaction(previous)
        psbt[input: 0].witnessUTXO = previous.outputs[Int(coin.index)]
        let spending = try bench.wallet.spending(at: WalletPlace(descriptor: 0, branch: 0, index: 0))
        for derivation in spending.derivations { psbt[input: 0].addDerivation(derivation) }
        let stored = StoredTransaction(
            psbt: try bench.keys.signed(psbt), network: network, created: UnixTime(seconds: 1),
            updated: UnixTime(seconds: 1))
        try manager.store.create(stored, replacing: nil)
        return stored
    }

    // MARK: Without a server

    @Test func withoutAServerNothingIsAskedOrSent() async throws {
        for servers in [nil, ChainServers { _ in nil }] {
            let manager = manager(servers)
            let opened = try await add(manager)
            await #expect(throws: NoChainServer(task: .synchronize)) { try await manager.synchronize(opened) }
            await #expect(throws: NoChainServer(task: .synchronize)) {
                try await manager.waitForChange(of: opened, patience: .unlimited)
            }
            await #expect(throws: NoChainServer(task: .holdings)) { try await manager.holdings(of: [], on: .test) }
            await #expect(throws: WalletError.notSynchronized("w")) { try await manager.chain(of: opened) }
            #expect(try await manager.currentChain(of: opened) == nil)
            #expect(try await manager.receivingAddress(of: opened).remarks == [.neverAsked])
            let stored = try signed(manager, on: .regtest)
            await #expect(throws: NoChainServer(task: .send)) { try await manager.send(stored) }
            #expect(try manager.transaction(stored.id)?.sent == nil)
        }
    }

    /// A card is asked for nothing as long as nobody can tell what lies there.
    @Test func noSweepBeginsWithoutAServer() async throws {
        var generator = SeededGenerator()
        let bench = try SweepBench(opened: 1, using: &generator)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = CardManager(
            store: MemoryStore(), readers: [SimulatedBackend([bench.card.reader])], interaction: person,
            acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 7) })
        let card = try await manager.card()
        let asked = bench.card.reader.exchangeCounts
        await #expect(throws: NoChainServer(task: .sweep)) {
            try await manager.sweep(card, SweepOrder(.all, to: bench.destination), using: &generator)
        }
        #expect(person.words.isEmpty && bench.card.reader.exchangeCounts == asked)
        await card.card.disconnect()
    }

    // MARK: Sending

    /// Whom it pays is shown before it is sent; a no sends nothing, and where nobody can be asked it is sent: it was confirmed
    /// when it was signed.
    @Test func whatIsSentIsConfirmed() async throws {
        let source = FakeChain(.regtest)
        for isAgreed in [true, false, nil] as [Bool?] {
            let person = ScriptedInteraction(
                decide: { _ in
                    guard let isAgreed else { throw NobodyToAsk.Absence.confirmation }
                    if !isAgreed { throw Declined() }
                }, give: { _ in throw ScriptedInteraction.Declined() })
            let manager = CardManager(
                store: MemoryStore(), chain: ChainServers(source), interaction: person,
                clock: { UnixTime(seconds: 5) })
            let stored = try signed(manager, on: .regtest)
            let before = source.sent.count
            if isAgreed == false {
                await #expect(throws: Declined.self) { try await manager.send(stored) }
            } else {
                _ = try await manager.send(stored)
            }
            #expect(source.sent.count == before + (isAgreed == false ? 0 : 1))
            #expect((try manager.transaction(stored.id)?.sent == nil) == (isAgreed == false))
            guard case .otherQuestion(.send(let shown, let server))? = person.entries.first else {
                throw ScriptedInteraction.Declined()
            }
            #expect(shown.review?.payments.map(\.output.amount.satoshis) == [9_900] && server == source.name)
            #expect(person.words == ["send"])
        }
    }

    // MARK: Several networks

    @Test func eachNetworksServerIsAskedAboutItsOwn() async throws {
        let servers = Servers(.regtest, .signet)
        let (regtest, signet) = (try #require(servers.chains[.regtest]), try #require(servers.chains[.signet]))
        let manager = manager(servers.servers)
        let ours = try await add(manager)
        let theirs = try manager.wallet(named: "w", on: .signet)
        try regtest.pay(bench.script(0, 0), 10_000, salt: 1)
        try signet.pay(bench.script(0, 4), 20_000, salt: 2)
        #expect(servers.opened.isEmpty)

        #expect(try await manager.synchronize(ours).coins.map(\.amount?.satoshis) == [10_000])
        #expect(signet.calls("tip") == 0 && signet.calls("histories") == 0 && servers.opened == [.regtest])
        let asked = [regtest.calls("tip"), regtest.calls("histories")]
        let there = try await manager.synchronize(theirs)
        #expect(there.coins.map(\.amount?.satoshis) == [20_000] && there.network == .signet)
        #expect([regtest.calls("tip"), regtest.calls("histories")] == asked)

        signet.estimate(.relay)
        #expect(try await manager.feeRate(.usual, on: .signet) == .relay)
        try await manager.waitForChange(of: theirs, patience: .limited(.zero))
        #expect(regtest.calls("feeRate") == 0 && regtest.calls("waitForChange") == 0)
        #expect(signet.calls("waitForChange") == 1)

        // The third has no server; it is not sent to another's.
        await #expect(throws: FeeError.noServer) { try await manager.feeRate(.usual, on: .testnet4) }
        let stored = try signed(manager, on: .testnet4)
        await #expect(throws: NoChainServer(task: .send)) { try await manager.send(stored) }
        #expect(regtest.sent.isEmpty && signet.sent.isEmpty)
        // Unless that is asked for.
        let sent = try await manager.send(stored, network: .signet)
        #expect(regtest.sent.isEmpty && signet.sent == [sent.id])
        #expect(servers.opened == [.regtest, .signet, .testnet4, .testnet4])
    }

    /// What a server of one network says of the keys of another's wallet would be believed, and its coins spent.
    @Test func anotherNetworksServerHearsNothing() async throws {
        for isOnlyOne in [true, false] {
            let signet = FakeChain(.signet)
            let servers = isOnlyOne ? ChainServers(signet) : ChainServers { _ in signet }
            let manager = manager(servers)
            let opened = try await add(manager)
            let stored = try signed(manager, on: .regtest)
            let refusal = ChainError.wrongNetwork(found: ServerText("signet"), wanted: .regtest)
            await #expect(throws: refusal) { try await manager.synchronize(opened) }
            await #expect(throws: refusal) { try await manager.receivingAddress(of: opened) }
            await #expect(throws: refusal) { try await manager.feeRate(.usual, on: .regtest) }
            await #expect(throws: refusal) { try await manager.send(stored) }
            #expect(["tip", "histories", "feeRate", "broadcast", "beginTask"].allSatisfy { signet.calls($0) == 0 })
            #expect(try manager.lastChain(of: opened) == nil)
            signet.estimate(.relay)
            #expect(try await manager.feeRate(.usual, on: .signet) == .relay)
        }
    }

    /// Addresses are not shown to the server of another network, either.
    @Test func slotsAreAskedAboutOnTheirOwnNetwork() async throws {
        var generator = SeededGenerator()
        let bench = try SweepBench(opened: 1, using: &generator)
        try bench.fund(0, 20_000, salt: 1)
        let signet = FakeChain(.signet)
        let chains = [Network.test: bench.chain, .signet: signet]
        let manager = CardManager(
            store: MemoryStore(), readers: [SimulatedBackend([bench.card.reader])],
            chain: ChainServers { chains[$0] },
            acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 7) })
        let card = try await manager.card()
        let slots = try await manager.slots(of: card)
        #expect(try await manager.holdings(of: slots, on: .test).total.satoshis == 20_000)
        let error = await #expect(throws: ChainError.self) { try await manager.holdings(of: slots, on: .signet) }
        #expect(error?.code == .chainWrongNetwork && signet.calls("unspent") == 0)
        await card.card.disconnect()
    }

    // MARK: Opening and closing

    @Test func aServerIsOpenedOnceAndAskedForEachTask() async throws {
        let servers = Servers(.regtest)
        let regtest = try #require(servers.chains[.regtest])
        regtest.estimate(.relay)
        let manager = manager(servers.servers)
        let opened = try await add(manager)
        #expect(servers.opened.isEmpty)
        // A rate that was given needs no server.
        #expect(try await manager.feeRate(.rate(.relay), on: .regtest) == .relay)
        #expect(servers.opened.isEmpty)
        _ = try await manager.synchronize(opened)
        _ = try await manager.chain(of: opened)
        #expect(try manager.requireChainServer(for: .send, on: .regtest) == "fake")
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { _ = try? await manager.feeRate(.usual, on: .regtest) } }
        }
        #expect(servers.opened == [.regtest] && regtest.calls("feeRate") == 20)
        // What a server may send is counted for each task.
        #expect(regtest.calls("beginTask") == 22)
        _ = try await manager.synchronize(opened)
        #expect(servers.opened == [.regtest])
    }

    /// A connection is open only as long as a use case needs it, however that ends.
    @Test func everyUseCaseClosesWhatItOpened() async throws {
        let servers = Servers(.regtest)
        let chain = try #require(servers.chains[.regtest])
        let manager = manager(servers.servers)
        let opened = try await add(manager)
        #expect(try manager.requireChainServer(for: .send, on: .regtest) == "fake")
        #expect(chain.calls("close") == 0)
        try chain.pay(bench.script(0, 0), 10_000, salt: 1)
        var closed = 0
        func expectClosed(_ useCase: () async throws -> Void) async throws {
            try await useCase()
            closed += 1
            #expect(chain.calls("close") == closed)
        }
        try await expectClosed { _ = try await manager.synchronize(opened) }
        try await expectClosed { _ = try await manager.chain(of: opened) }
        try await expectClosed { _ = try await manager.receivingAddress(of: opened) }
        try await expectClosed { try await manager.waitForChange(of: opened, patience: .limited(.zero)) }
        try await expectClosed { _ = try await manager.holdings(of: [], on: .regtest) }
        try await expectClosed {
            await #expect(throws: FeeError.noEstimate) { try await manager.feeRate(.usual, on: .regtest) }
        }
        chain.estimate(.relay)
        // One that asks twice closes once.
        let order = WalletOrder(payments: [
            Payment(to: WalletBench.stranger, amount: try #require(Amount(satoshis: 5_000)))
        ])
        var stored: StoredTransaction?
        try await expectClosed { stored = try await manager.prepare(order, from: opened) }
        let built = try #require(stored)
        try await expectClosed {
            _ = try await manager.bump(built, to: .rate(FeeRate(parsing: "9")))
        }
        // Another one, which spends the same coin.
        for summary in try manager.transactions().summaries { _ = try manager.store.deleteTransaction(summary.id) }
        let ready = try signed(manager, on: .regtest)
        try await expectClosed { _ = try await manager.send(ready) }
        // A task that is cancelled closes, too.
        try await expectClosed {
            let task = Task { try await manager.synchronize(opened) }
            task.cancel()
            _ = await task.result
        }
    }

    /// As long as one use case is running, no other closes its connection; the last one does.
    @Test func noUseCaseClosesAnothersConnection() async throws {
        let source = FakeChain(.regtest)
        let connections = ChainConnections(ChainServers(source))
        try await connections.during { servers in
            _ = try servers.required(.send, on: .regtest)
            await withTaskGroup { group in
                for _ in 0..<50 {
                    group.addTask { _ = try? await connections.during { _ = try $0.source(on: .regtest) } }
                }
            }
            #expect(source.calls("close") == 0 && source.calls("beginTask") == 51)
        }
        #expect(source.calls("close") == 1)
        // One that begins while the last one closes waits for that.
        await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask { _ = try? await connections.during { _ = try $0.source(on: .regtest) } }
            }
        }
        #expect((2...51).contains(source.calls("close")) && source.calls("beginTask") == 101)
        await #expect(throws: NoChainServer.self) {
            try await ChainConnections(nil).during { _ = try $0.required(.send, on: .regtest) }
        }
    }

    @Test func whatTheProgramThrowsComesBackAndIsTriedAgain() async throws {
        let servers = Servers(.regtest)
        servers.throwInstead(true)
        let manager = manager(servers.servers)
        let opened = try await add(manager)
        let stored = try signed(manager, on: .regtest)
        await #expect(throws: Servers.Closed.self) { try await manager.synchronize(opened) }
        await #expect(throws: Servers.Closed.self) { try await manager.chain(of: opened) }
        await #expect(throws: Servers.Closed.self) { try await manager.receivingAddress(of: opened) }
        await #expect(throws: Servers.Closed.self) { try await manager.feeRate(.usual, on: .regtest) }
        await #expect(throws: Servers.Closed.self) { try await manager.send(stored) }
        #expect(try manager.transaction(stored.id)?.sent == nil && servers.opened.count == 5)
        servers.throwInstead(false)
        _ = try await manager.send(stored)
        _ = try await manager.synchronize(opened)
        #expect(servers.opened.count == 6)
    }
}
