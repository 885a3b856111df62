import Bitcoin
import ChainData
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// What a manager does with wallets.
@Suite struct ManagedWalletTests {
    private let bench: WalletBench
    private let store = MemoryStore()

    init() throws { bench = try WalletBench() }

    private func manager(
        _ person: any Interaction = NobodyToAsk(), readers: [SimulatedReader] = [], isOffline: Bool = false
    ) throws -> CardManager {
        CardManager(
            store: store, readers: [SimulatedBackend(readers)], chain: isOffline ? nil : ChainServers(bench.source),
            interaction: person, acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 5) }
        )
    }

    /// Somebody who says yes or no to everything.
    private func person(_ isAgreed: Bool = true) -> ScriptedInteraction {
        ScriptedInteraction(
            decide: { _ in if !isAgreed { throw ScriptedInteraction.Declined() } }, give: { _ in FlowBench.cvc })
    }

    private func descriptor() throws -> String { try #require(bench.wallet.descriptors.first?.text) }

    @discardableResult
    private func add(_ manager: CardManager) async throws -> OpenedWallet {
        try await manager.addWallet(named: "w", of: .parsing([try descriptor()]), network: .regtest).wallet
    }

    private func refusal<Value>(_ body: () async throws -> Value) async -> WalletError? {
        do { _ = try await body() } catch { return error as? WalletError }
        return nil
    }

    // MARK: Adding and opening

    @Test func aWalletIsAddedOnce() async throws {
        let manager = try manager()
        let added = try await manager.addWallet(
            named: "w", of: .parsing([try descriptor()]), network: .regtest)
        #expect(added.cards.isEmpty && !added.hasKnownFingerprint)
        #expect(try manager.wallets() == [added.wallet.stored] && added.wallet.stored.created == 5)
        #expect(await refusal { try await add(manager) } == .walletExists("w"))
        let opened = try manager.wallet(named: "w")
        #expect(opened.stored == added.wallet.stored && opened.wallet.network == .regtest)
        #expect(await refusal { try manager.wallet(named: "v") } == .noSuchWallet("v"))
        // Test networks share their keys, and bitcoin has others.
        #expect(try manager.wallet(named: "w", on: .signet).wallet.network == .signet)
        let other = await refusal { try manager.wallet(named: "w", on: .main) }
        #expect(other == .wrongNetwork("w", .regtest, asked: .main) && other?.code == .wrongNetwork)
    }

    /// A name that is taken or not allowed is refused before a card is looked for; what is no wallet is not stored.
    @Test func nothingIsAddedInVain() async throws {
        let manager = try manager()
        try await add(manager)
        #expect(await refusal { try await manager.addWallet(named: "w", of: .card(.any)) } == .walletExists("w"))
        #expect(await refusal { try await manager.addWallet(named: "-w", of: .card(.any)) } == .badName("-w"))
        let lost = await refusal { try await manager.addWallet(named: "v", of: .parsing(["wpkh("])) }
        #expect(lost?.code == .badDescriptor)
        #expect(try manager.wallets().map(\.name) == ["w"])
    }

    /// Made of a card's account, by its path.
    @Test func aWalletOfACard() async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let manager = try manager(ScriptedInteraction(cvc: FlowBench.cvc), readers: [card.reader])
        let added = try await manager.addWallet(named: "card", of: .card(.any), network: .regtest)
        #expect(added.cards.map(\.ident) == [card.ident])
        #expect(
            added.wallet.stored.descriptors.first?.description.hasPrefix(
                "wpkh([\(try card.wallet().fingerprint)/84h/1h/0h]")
                == true)
        // Its fingerprint is remembered since it proved it, and its key, too; not the one at another path.
        #expect(added.hasKnownFingerprint && added.claimedKeys.isEmpty)
        let other = KeyOrigin(
            fingerprint: try card.wallet().fingerprint, path: try DerivationPath(parsing: "m/84h/1h/7h"))
        let text = "wpkh(\(other)\(try SampleWallet(seed: 9).extendedKey(other.path).text)/<0;1>/*)"
        let claimed = try await manager.addWallet(named: "claimed", of: .parsing([text]), network: .regtest)
        #expect(claimed.hasKnownFingerprint && claimed.claimedKeys == [other])
        #expect(added.cosignersPath == nil && claimed.cosignersPath == nil)
    }

    /// Programs do not look for a wallet of one key at a cosigner's path: that is asked about before the CVC.
    @Test func aWalletAtACosignersPath() async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let path = try DerivationPath(parsing: "m/48h/1h/0h/2h")
        let mover = try self.manager(ScriptedInteraction(cvc: FlowBench.cvc), readers: [card.reader])
        _ = try await mover.derive(path, on: mover.card())
        let fingerprint = try card.wallet().fingerprint
        for choice in [CardChoice.any, .fingerprint(fingerprint)] {
            let person = ScriptedInteraction(
                decide: { _ in throw ScriptedInteraction.Declined() }, give: { _ in FlowBench.cvc })
            let refusing = try self.manager(person, readers: [card.reader])
            await #expect(throws: ScriptedInteraction.Declined.self) {
                _ = try await refusing.addWallet(named: "alone", of: .card(choice), network: .regtest)
            }
            #expect(try person.words == ["useCosignersAccount"] && refusing.wallets().isEmpty)
        }
        let agreeing = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try self.manager(agreeing, readers: [card.reader])
        let added = try await manager.addWallet(named: "alone", of: .card(.any), network: .regtest)
        #expect(agreeing.words == ["useCosignersAccount", "cvc"] && added.cosignersPath == path)
        let text = try #require(added.wallet.stored.descriptors.first?.description)
        #expect(text.hasPrefix("wpkh([\(fingerprint)/48h/1h/0h/2h]"))
        // Whoever gives a descriptor knows what it says.
        let given = try await manager.addWallet(named: "given", of: .parsing([text]), network: .regtest)
        #expect(given.cosignersPath == nil && given.sharing == ["alone"])
    }

    @Test func aWalletOfSeveralCards() async throws {
        var generator = SeededGenerator()
        let cards = [try await FlowBench.ready(using: &generator), try await FlowBench.ready(using: &generator)]
        // They are where programs look for wallets of one key: that is asked about before any CVC.
        let person = ScriptedInteraction(
            decide: { _ in throw ScriptedInteraction.Declined() }, give: { _ in FlowBench.cvc })
        let refusing = try self.manager(person, readers: cards.map(\.reader))
        await #expect(throws: ScriptedInteraction.Declined.self) {
            _ = try await refusing.addWallet(named: "both", of: .cards(.any, threshold: 2, count: nil))
        }
        #expect(try person.words == ["shareSingleKeyAccounts"] && refusing.wallets().isEmpty)
        let manager = try manager(ScriptedInteraction(cvc: FlowBench.cvc), readers: cards.map(\.reader))
        let added = try await manager.addWallet(
            named: "both", of: .cards(.any, threshold: 2, count: nil), network: .regtest)
        #expect(added.cards.map(\.ident) == cards.map(\.ident))
        #expect(added.singleKeyCards.map(\.ident) == cards.map(\.ident))
        #expect(added.wallet.wallet.descriptors.first?.keys.count == 2)
        #expect(added.wallet.stored.descriptors.first?.description.hasPrefix("wsh(sortedmulti(2,") == true)
        let few = await #expect(throws: CardSearchError.self) {
            _ = try await manager.addWallet(named: "three", of: .cards(.any, threshold: 3, count: 3))
        }
        #expect(few?.code == .noCard)
        // What can be no wallet is refused before a card is asked.
        for (threshold, count) in [(0, nil), (21, nil), (3, 2), (2, 21)] as [(Int, Int?)] {
            let refusal = await refusal {
                try await manager.addWallet(named: "odd", of: .cards(.any, threshold: threshold, count: count))
            }
            #expect(refusal == .descriptor(1, .threshold), "\(threshold)")
        }
        #expect(try manager.wallets().map(\.name) == ["both"])
    }

    /// One that is not sound is looked at, with a word about it, and used for nothing.
    @Test func anUnsoundWalletIsOnlyLookedAt() async throws {
        let other = try WalletBench(seed: 2)
        let texts = try [descriptor(), #require(other.wallet.descriptors.first?.text)].map(DescriptorText.init(stored:))
        store.save(StoredWallet(name: "old", network: .regtest, descriptors: texts, created: UnixTime(seconds: 1)))
        let person = person()
        let manager = try manager(person)
        let refusal = await refusal { try manager.wallet(named: "old") }
        #expect(refusal?.code == .badDescriptor && person.words.isEmpty)
        #expect(try manager.walletToLook(named: "old").stored.descriptors == texts)
        #expect(person.words == ["unsoundWallet"])
    }

    @Test func aWalletIsRemovedOnAYes() async throws {
        let opened = try await add(manager())
        let no = person(false)
        await #expect(throws: ScriptedInteraction.Declined.self) { try await manager(no).remove(opened) }
        #expect(no.words == ["removeWallet"] && store.wallets().count == 1)
        try await manager(person()).remove(opened)
        #expect(store.wallets().isEmpty)
        // Another process was faster.
        #expect(await refusal { try await manager(person()).remove(opened) } == .noSuchWallet("w"))
    }

    // MARK: The chain

    @Test func withoutAServerTheLastAnswerCounts() async throws {
        let (manager, offline) = (try manager(), try manager(isOffline: true))
        let opened = try await add(manager)
        #expect(await refusal { try await offline.chain(of: opened) } == .notSynchronized("w"))
        #expect(try manager.lastChain(of: opened) == nil)
        try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let chain = try await manager.chain(of: opened)
        #expect(chain.coins.count == 1)
        #expect(try await offline.chain(of: opened) == chain)
        #expect(try manager.lastChain(of: opened) == chain)
        // What was said of another network is not about these coins.
        #expect(try manager.lastChain(of: manager.wallet(named: "w", on: .signet)) == nil)
    }

    /// How far it is, and what came of it, is told; a transaction that is in a block is confirmed, and stays.
    @Test func synchronizingIsTold() async throws {
        let manager = try manager(person())
        let opened = try await add(manager)
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        var generator = SeededGenerator()
        var order = WalletOrder(
            payments: [Payment(to: WalletBench.stranger, amount: try #require(Amount(satoshis: 5_000)))],
            fee: .rate(.relay))
        // It is said to be mined long ago.
        order.lockTime = 0
        let chain = try await manager.synchronize(opened)
        let stored = try manager.create(order, at: .relay, from: opened.wallet, chain, using: &generator)
        _ = try store.updateTransaction(stored.id) { present throws(StoreError) in
            var sent = present ?? stored
            sent.psbt = (try? bench.keys.signed(sent.psbt)) ?? sent.psbt
            sent.sent = UnixTime(seconds: 5)
            return sent
        }
        #expect(stored.psbt.unsignedTransaction.inputs.map(\.outpoint) == [coin])
        bench.source.add(try bench.signed(stored), height: 150)
        let stream = manager.events()
        let later = try await manager.synchronize(opened)
        stream.end()
        let events = await stream.reduce(into: [ManagerEvent]()) { $0.append($1) }
        guard case .wallet("w", .searching)? = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(
            events.suffix(2) == [
                .wallet("w", .synchronized(WalletSynchronization(later))), .transaction(stored.id, .confirmed),
            ])
        let kept = try #require(store.transaction(stored.id))
        #expect(kept.summary.state == .confirmed && kept.standing == ChainStanding(height: 150, tip: 200))
        #expect(kept.summary.confirmations == 51 && kept.sent == UnixTime(seconds: 5))
        // It is told once.
        let again = manager.events()
        _ = try await manager.synchronize(opened)
        again.end()
        #expect(await again.reduce(into: 0) { if case .transaction = $1 { $0 += 1 } } == 0)
    }

    @Test func theOverviewTellsOfEveryCoin() async throws {
        let manager = try manager()
        let opened = try await add(manager)
        let coins = try [UInt32](0..<3).map { number in
            let height: Int? = number == 2 ? nil : 100
            return try bench.source.pay(bench.script(0, number), 10_000, salt: number + 1, height: height)
        }
        let chain = try await manager.chain(of: opened)
        store.save([
            StoredLabel(type: "output", reference: "\(coins[0])", label: "rent", isSpendable: false),
            StoredLabel(
                type: "addr",
                reference: "\(try bench.wallet.address(at: WalletPlace(descriptor: 0, branch: 0, index: 1)))",
                label: "shop"),
            StoredLabel(type: "tx", reference: "\(coins[2].transactionID)", label: "gift"),
        ])
        let view = try manager.overview(of: opened, chain)
        #expect(view.confirmed.satoshis == 20_000 && view.unconfirmed?.satoshis == 10_000)
        #expect(view.frozen == [coins[0]] && view.taken.isEmpty)
        let shown = Dictionary(uniqueKeysWithValues: chain.coins.map { ($0.outpoint, $0) })
        let listed = try coins.map { try #require(shown[$0]) }
        #expect(listed.map { view.label(of: $0) } == ["rent", "shop", nil])
        #expect(view.label(of: coins[2].transactionID) == "gift" && !view.isChange(listed[0].place))
        #expect(view.path(of: listed[1].place)?.description == "m/84h/1h/0h/0/1")
        let blank = try manager.overview(of: opened, nil)
        #expect(blank.chain == nil && blank.confirmed == .zero)
    }
}
