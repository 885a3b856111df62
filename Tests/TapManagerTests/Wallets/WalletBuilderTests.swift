import Bitcoin
import ChainData
import FlowSupport
import TapManager
import TestSupport
import Testing

/// Transactions that wallets build, and how two of them keep out of each other's way.
@Suite struct WalletBuilderTests {
    private static let rate = FeeRate(satoshisPerKiloVirtualByte: 2_500) ?? .relay

    private func order(_ amount: Int64?, drain: Bool = false) throws -> WalletOrder {
        let payments =
            try amount.map {
                [Payment(to: WalletBench.stranger, amount: try #require(Amount(satoshis: $0)))]
            } ?? []
        return WalletOrder(payments: payments, drain: drain ? WalletBench.stranger : nil, fee: .rate(Self.rate))
    }

    private func manager() -> CardManager { CardManager(store: MemoryStore()) { UnixTime(seconds: 5) } }

    @Test(arguments: SampleWallet.Kind.allCases)
    func whatIsBuiltCanBeSignedAndRecognized(_ kind: SampleWallet.Kind) async throws {
        let bench = try WalletBench(kind)
        for index in 0..<5 { try bench.source.pay(bench.script(0, UInt32(index)), 10_000, salt: UInt32(index)) }
        let chain = try await bench.chain()
        let manager = manager()
        var generator = SeededGenerator()
        let stored = try manager.create(try order(33_000), at: Self.rate, from: bench.wallet, chain, using: &generator)
        #expect(stored.wallet == "w" && stored.network == .regtest)
        let psbt = stored.psbt
        #expect(psbt.inputs.allSatisfy { $0.nonWitnessUTXO != nil })
        let signed = try bench.keys.signed(psbt)
        let result = SigningResult(signed, added: 0)
        let transaction = try #require(result.transaction)
        let fee = try #require(psbt.claimedFee)
        let wanted = try #require(Self.rate.fee(forVirtualSize: transaction.virtualSize))
        #expect((0...1).contains(fee.satoshis - wanted.satoshis) || transaction.outputs.count == 1)
        #expect(transaction.lockTime <= 200 && transaction.lockTime > 100)
        #expect(transaction.inputs.allSatisfy { $0.sequence == 0xFFFF_FFFD })
        let change = try #require(transaction.outputs.firstIndex { $0.scriptPubKey != WalletBench.stranger })
        #expect(transaction.outputs[change].scriptPubKey == (try bench.script(1, 0)))
        let place = bench.wallet.place(of: transaction.outputs[change], psbt.outputs[change])
        #expect(place == WalletPlace(descriptor: 0, branch: 1, index: 0))
        let (review, _) = SigningPlanner(psbt: psbt, network: .regtest).review(wallet: bench.wallet)
        #expect(review?.outputs[change].isProvenChange == true)
        #expect(review?.outputs.count { $0.isProvenChange } == 1)
    }

    @Test func coinsOfStoredTransactionsAreNotSpentAgain() async throws {
        let bench = try WalletBench()
        for index in 0..<4 { try bench.source.pay(bench.script(0, UInt32(index)), 10_000, salt: UInt32(index)) }
        let chain = try await bench.chain()
        let manager = manager()
        var generator = SeededGenerator()
        let first = try manager.create(order(15_000), at: Self.rate, from: bench.wallet, chain, using: &generator)
        let second = try manager.create(order(15_000), at: Self.rate, from: bench.wallet, chain, using: &generator)
        let coins = [first, second].map { Set($0.psbt.unsignedTransaction.inputs.map(\.outpoint)) }
        #expect(coins[0].isDisjoint(with: coins[1]))
        // Each change has an address of its own.
        let changes = [first, second].map { transaction in
            transaction.psbt.unsignedTransaction.outputs.map(\.scriptPubKey).first { $0 != WalletBench.stranger }
        }
        #expect(changes[0] != changes[1] && changes.allSatisfy { $0 != nil })
        let third = try order(15_000)
        do throws(CreationError) {
            _ = try manager.create(third, at: Self.rate, from: bench.wallet, chain, using: &generator)
            Issue.record("built from nothing")
        } catch {
            guard case .heldBack(_, let available, let taken, let frozen, let unconfirmed) = error else {
                Issue.record("\(error)")
                return
            }
            #expect([available, taken, frozen, unconfirmed].map(\.satoshis) == [0, 40_000, 0, 0])
        }
        #expect(try manager.store.deleteTransaction(first.id))
        _ = try manager.create(order(15_000), at: Self.rate, from: bench.wallet, chain, using: &generator)
    }

    @Test func coinControlSpendsWhatIsNamed() async throws {
        let bench = try WalletBench()
        var coins: [Outpoint] = []
        for index in 0..<4 {
            coins.append(try bench.source.pay(bench.script(0, UInt32(index)), 10_000, salt: UInt32(index)))
        }
        let chain = try await bench.chain()
        let manager = manager()
        var generator = SeededGenerator()
        var named = try order(1_000)
        named.coins = [coins[1], coins[3]]
        let stored = try manager.create(named, at: Self.rate, from: bench.wallet, chain, using: &generator)
        #expect(Set(stored.psbt.unsignedTransaction.inputs.map(\.outpoint)) == named.coins)
        let first = try #require([coins[1], coins[3]].min { $0.description < $1.description })
        #expect(throws: CreationError.takenCoin(first, by: stored.id)) {
            try manager.create(named, at: Self.rate, from: bench.wallet, chain, using: &generator)
        }
        let unknown = Outpoint(transactionID: coins[0].transactionID, index: 0)
        named.coins = [unknown]
        #expect(throws: CreationError.unknownCoin(unknown)) {
            try manager.create(named, at: Self.rate, from: bench.wallet, chain, using: &generator)
        }
        named.coins = [coins[0]]
        named.payments = [Payment(to: WalletBench.stranger, amount: try #require(Amount(satoshis: 15_000)))]
        #expect(throws: CreationError.self) {
            try manager.create(named, at: Self.rate, from: bench.wallet, chain, using: &generator)
        }
    }

    @Test(arguments: [100, 99]) func coinsOfAYoungCoinbaseAreNotSpent(_ depth: Int) async throws {
        let bench = try WalletBench()
        let outpoint = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let told = try await bench.chain()
        let chain = WalletChain(
            network: told.network, server: told.server, height: told.height, time: told.time, hasHistory: true,
            areSpendsProven: true, scripts: told.scripts, transactions: told.transactions,
            coins: told.coins.map {
                WalletCoin(
                    outpoint: $0.outpoint, output: $0.output, place: $0.place, height: told.height - depth + 1,
                    isCoinbase: true)
            })
        var named = try order(1_000)
        named.coins = [outpoint]
        for order in [try order(1_000), named] {
            var generator = SeededGenerator()
            let manager = manager()
            if depth == 100 {
                _ = try manager.create(order, at: Self.rate, from: bench.wallet, chain, using: &generator)
            } else {
                #expect(throws: CreationError.self) {
                    try manager.create(order, at: Self.rate, from: bench.wallet, chain, using: &generator)
                }
            }
        }
    }

    @Test func drainingTakesEverything() async throws {
        let bench = try WalletBench()
        for index in 0..<3 { try bench.source.pay(bench.script(0, UInt32(index)), 10_000, salt: UInt32(index)) }
        let chain = try await bench.chain()
        var generator = SeededGenerator()
        let stored = try manager().create(
            order(nil, drain: true), at: Self.rate, from: bench.wallet, chain, using: &generator)
        let transaction = stored.psbt.unsignedTransaction
        #expect(transaction.inputs.count == 3 && transaction.outputs.count == 1)
        let fee = try #require(stored.psbt.claimedFee)
        #expect(transaction.outputs[0].value == 30_000 - fee.satoshis)
    }

    @Test func frozenAndUnconfirmedCoinsAreLeftAlone() async throws {
        let bench = try WalletBench()
        let frozen = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let waiting = try bench.source.pay(bench.script(0, 1), 10_000, salt: 2, height: nil)
        let chain = try await bench.chain()
        let manager = manager()
        try manager.store.save([
            StoredLabel(type: "output", reference: frozen.description, label: "savings", isSpendable: false)
        ])
        var generator = SeededGenerator()
        var order = try order(5_000)
        #expect(throws: CreationError.self) {
            try manager.create(order, at: Self.rate, from: bench.wallet, chain, using: &generator)
        }
        order.allowsUnconfirmed = true
        let stored = try manager.create(order, at: Self.rate, from: bench.wallet, chain, using: &generator)
        #expect(stored.psbt.unsignedTransaction.inputs.map(\.outpoint) == [waiting])
        order.coins = [frozen]
        let named = try manager.create(order, at: Self.rate, from: bench.wallet, chain, using: &generator)
        #expect(named.psbt.unsignedTransaction.inputs.map(\.outpoint) == [frozen])
    }

    @Test func ownUnconfirmedChangeIsSpent() async throws {
        let bench = try WalletBench()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        bench.source.add(
            try bench.spending([coin], [WalletBench.output(9_000, try bench.script(1, 0))]), height: nil)
        let chain = try await bench.chain()
        var generator = SeededGenerator()
        _ = try manager().create(order(5_000), at: Self.rate, from: bench.wallet, chain, using: &generator)
    }

    @Test func aReplacementPaysTheSame() async throws {
        let bench = try WalletBench()
        for index in 0..<3 { try bench.source.pay(bench.script(0, UInt32(index)), 10_000, salt: UInt32(index)) }
        let chain = try await bench.chain()
        let manager = manager()
        var generator = SeededGenerator()
        let old = try manager.create(order(12_000), at: Self.rate, from: bench.wallet, chain, using: &generator)
        let high = try #require(FeeRate(satoshisPerKiloVirtualByte: 20_000))
        let new = try manager.bump(old, to: high, from: bench.opened, chain, using: &generator)
        #expect(try manager.store.transaction(old.id) == nil)
        let transaction = new.psbt.unsignedTransaction
        let coins = Set(old.psbt.unsignedTransaction.inputs.map(\.outpoint))
        #expect(coins.isSubset(of: Set(transaction.inputs.map(\.outpoint))))
        #expect(transaction.outputs.contains { $0.scriptPubKey == WalletBench.stranger && $0.value == 12_000 })
        let signed = try #require(SigningResult(try bench.keys.signed(new.psbt), added: 0).transaction)
        let fee = try #require(new.psbt.claimedFee)
        #expect(fee >= high.fee(forVirtualSize: signed.virtualSize) ?? .maximum)
        let low = try #require(FeeRate(satoshisPerKiloVirtualByte: 3_000))
        #expect(throws: CreationError.self) {
            try manager.bump(new, to: low, from: bench.opened, chain, using: &generator)
        }
    }

    /// One call opens the wallet, asks the server, and builds; what is of no wallet and no sweep has no known change.
    @Test func aStoredTransactionIsReplacedByOneCall() async throws {
        let bench = try WalletBench()
        for index in 0..<3 { try bench.source.pay(bench.script(0, UInt32(index)), 10_000, salt: UInt32(index)) }
        let store = MemoryStore()
        let manager = CardManager(store: store, chain: ChainServers(bench.source)) { UnixTime(seconds: 5) }
        let alone = CardManager(store: store) { UnixTime(seconds: 5) }
        let text = try #require(bench.wallet.descriptors.first?.text)
        let opened = try await manager.addWallet(named: "w", of: .parsing([text]), network: .regtest).wallet
        let old = try await manager.prepare(order(12_000), from: opened)
        let high = try #require(FeeRate(satoshisPerKiloVirtualByte: 20_000))
        await #expect(throws: FeeError.noServer) { try await alone.bump(old, to: .usual) }
        let new = try await manager.bump(old, to: .rate(high))
        #expect(new.wallet == "w" && new.network == .regtest)
        #expect(store.transaction(old.id) == nil && store.transaction(new.id) != nil)
        // What the server said last will do.
        let higher = try #require(FeeRate(satoshisPerKiloVirtualByte: 40_000))
        #expect(try await alone.bump(new, to: .rate(higher)).id != new.id)
        let stray = StoredTransaction(
            psbt: old.psbt, created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1))
        await #expect(throws: CreationError.changeUnknown) {
            try await manager.bump(stray, to: .rate(high))
        }
    }

    @Test func whatIsInABlockOrSpentOnIsNotReplaced() async throws {
        let bench = try WalletBench()
        try bench.source.pay(bench.script(0, 0), 50_000, salt: 1)
        let chain = try await bench.chain()
        let manager = manager()
        var generator = SeededGenerator()
        let old = try manager.create(order(12_000), at: Self.rate, from: bench.wallet, chain, using: &generator)
        let high = try #require(FeeRate(satoshisPerKiloVirtualByte: 20_000))
        bench.source.add(try bench.signed(old), height: nil)
        let change = try #require(old.psbt.unsignedTransaction.outputs.firstIndex { $0.value != 12_000 })
        let child = try bench.spending(
            [Outpoint(transactionID: old.id, index: UInt32(change))],
            [WalletBench.output(20_000, try bench.script(0, 3))])
        bench.source.add(child, height: nil)
        let spent = try await bench.chain()
        #expect(throws: CreationError.hasDescendant(child.id)) {
            try manager.bump(old, to: high, from: bench.opened, spent, using: &generator)
        }
        let mined = FakeChain()
        for entry in chain.transactions { mined.add(entry.transaction, height: entry.height) }
        mined.add(try bench.signed(old), height: 200)
        let settled = try await WalletSync(bench.wallet, source: mined).run(known: nil, at: UnixTime(seconds: 2))
        #expect(throws: CreationError.confirmed(old.id)) {
            try manager.bump(old, to: high, from: bench.opened, settled, using: &generator)
        }
    }

    @Test func aReplacementSpendsNothingOfWhatItReplaces() async throws {
        let bench = try WalletBench()
        try bench.source.pay(bench.script(0, 0), 100_000, salt: 1)
        let chain = try await bench.chain()
        let manager = manager()
        var generator = SeededGenerator()
        let old = try manager.create(order(90_000), at: Self.rate, from: bench.wallet, chain, using: &generator)
        bench.source.add(try bench.signed(old), height: nil)
        let sent = try await bench.chain()
        // The change alone does not pay that much, and what the old one pays goes with it.
        let high = try #require(FeeRate(satoshisPerKiloVirtualByte: 95_000))
        #expect(throws: CreationError.self) {
            try manager.bump(old, to: high, from: bench.opened, sent, using: &generator)
        }
        try bench.source.pay(bench.script(0, 5), 50_000, salt: 9)
        let more = try await bench.chain()
        let new = try manager.bump(old, to: high, from: bench.opened, more, using: &generator)
        #expect(new.psbt.unsignedTransaction.inputs.allSatisfy { $0.outpoint.transactionID != old.id })
        #expect(new.psbt.unsignedTransaction.inputs.count == 2)
    }

    @Test func whatAStoredTransactionSpendsIsNotThrownOut() async throws {
        let bench = try WalletBench()
        try bench.source.pay(bench.script(0, 0), 100_000, salt: 1)
        let before = try await bench.chain()
        let manager = manager()
        var generator = SeededGenerator()
        let old = try manager.create(order(10_000), at: Self.rate, from: bench.wallet, before, using: &generator)
        bench.source.add(try bench.signed(old), height: nil)
        let child = try manager.create(
            order(20_000), at: Self.rate, from: bench.wallet, await bench.chain(), using: &generator)
        // The server keeps quiet about the child: the store does not.
        let high = try #require(FeeRate(satoshisPerKiloVirtualByte: 20_000))
        #expect(throws: CreationError.hasDescendant(child.id)) {
            try manager.bump(old, to: high, from: bench.opened, before, using: &generator)
        }
    }

    @Test func othersMoneyIsNotOwnAfterOneHop() async throws {
        let bench = try WalletBench()
        let foreign = try bench.source.pay(bench.script(0, 0), 50_000, salt: 1, height: nil)
        bench.source.add(
            try bench.spending([foreign], [WalletBench.output(49_000, try bench.script(1, 0))]), height: nil)
        let chain = try await bench.chain()
        var generator = SeededGenerator()
        #expect(throws: CreationError.self) {
            try manager().create(order(10_000), at: Self.rate, from: bench.wallet, chain, using: &generator)
        }
    }

    @Test func changeStaysWithinReach() async throws {
        let bench = try WalletBench()
        for index in 0..<25 { try bench.source.pay(bench.script(0, UInt32(index)), 10_000, salt: UInt32(index)) }
        let chain = try await bench.chain()
        let manager = manager()
        var generator = SeededGenerator()
        let reach = Set(try (0..<20).map { try bench.script(1, UInt32($0)) })
        for coin in chain.coins {
            var order = try order(3_000)
            order.coins = [coin.outpoint]
            let stored = try manager.create(order, at: Self.rate, from: bench.wallet, chain, using: &generator)
            let scripts = stored.psbt.unsignedTransaction.outputs.map(\.scriptPubKey)
            #expect(scripts.allSatisfy { $0 == WalletBench.stranger || reach.contains($0) })
        }
    }

    @Test func changeNeverGoesToAnAddressAlone() async throws {
        let bench = try WalletBench()
        let address = try #require(Address(scriptPubKey: WalletBench.stranger, network: .regtest))
        let key = try #require(bench.wallet.descriptors[0].branches[0].text)
        let wallet = try WalletDraft(
            name: WalletName(parsing: "w"), network: .regtest, descriptors: ["addr(\(address))", key]
        ).wallet
        #expect(wallet.changeBranch?.descriptor == 1)
    }

    @Test func multisigPSBTsNameTheCosigners() async throws {
        let cosigners = try (1...3).map { try SampleWallet(seed: $0) }
        let keys = try cosigners.map { wallet in
            let path = try wallet.accountPath(.p2wpkh)
            return
                "\(KeyOrigin(fingerprint: wallet.fingerprint, path: path))\(try wallet.extendedKey(path).text)/<0;1>/*"
        }
        let wallet = try WalletDraft(
            name: WalletName(parsing: "w"), network: .regtest,
            descriptors: ["wsh(sortedmulti(2,\(keys.joined(separator: ","))))"]
        ).wallet
        let source = FakeChain()
        try source.pay(wallet.script(at: .init(descriptor: 0, branch: 0, index: 0)), 50_000, salt: 1)
        let chain = try await WalletSync(wallet, source: source).run(known: nil, at: UnixTime(seconds: 1))
        var generator = SeededGenerator()
        let stored = try manager().create(order(10_000), at: Self.rate, from: wallet, chain, using: &generator)
        #expect(stored.psbt.globalExtendedKeys.count == 3)
        var psbt = stored.psbt
        for cosigner in cosigners.prefix(2) { psbt = try cosigner.signed(psbt) }
        let transaction = try #require(SigningResult(psbt, added: 0).transaction)
        let fee = try #require(psbt.claimedFee)
        let wanted = try #require(Self.rate.fee(forVirtualSize: transaction.virtualSize))
        #expect((0...1).contains(fee.satoshis - wanted.satoshis))
    }

    @Test func addressesAloneCannotBeSpent() async throws {
        let address = try #require(Address(scriptPubKey: try WalletBench(.p2shP2WPKH).script(0, 0), network: .regtest))
        let wallet = try WalletDraft(
            name: WalletName(parsing: "a"), network: .regtest, descriptors: ["addr(\(address))"]
        ).wallet
        let source = FakeChain()
        try source.pay(address.scriptPubKey, 70_000, salt: 1)
        let chain = try await WalletSync(wallet, source: source).run(known: nil, at: UnixTime(seconds: 1))
        var generator = SeededGenerator()
        #expect(throws: CreationError.notSpendable) {
            try manager().create(order(10_000), at: Self.rate, from: wallet, chain, using: &generator)
        }
    }
}

extension WalletBench {
    /// The wallet as the store would give it.
    var opened: OpenedWallet {
        get throws {
            try OpenedWallet(
                StoredWallet(
                    name: wallet.name, network: wallet.network,
                    descriptors: wallet.descriptors.compactMap(DescriptorText.init),
                    created: UnixTime(seconds: 1)), network: nil)
        }
    }
}
