import Bitcoin
import ChainData
import FlowSupport
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// A server that lies about the last block locks nothing up for years.
@Suite struct HeightEstimateTests {
    /// In November 2026: block 976 229, by the clock.
    private static let now = UnixTime(seconds: 1_795_309_323)
    private static let claim = 1_200_000
    private let bench: WalletBench

    init() throws {
        bench = try WalletBench()
        for index in 0..<2 { try bench.source.pay(bench.script(0, UInt32(index)), 50_000, salt: UInt32(index + 1)) }
    }

    private func manager() -> CardManager { CardManager(store: MemoryStore()) { Self.now } }

    /// What a server says of a wallet, with another last block.
    private func chain(
        of wallet: WatchWallet, _ height: Int, _ network: Network = .main
    ) async throws -> WalletChain {
        let told = try await WalletSync(wallet, source: bench.source).run(known: nil, at: UnixTime(seconds: 1))
        return WalletChain(
            network: network, server: told.server, height: height, time: Self.now, hasHistory: true,
            areSpendsProven: true, scripts: told.scripts, transactions: told.transactions, coins: told.coins)
    }

    private func chain(_ height: Int, _ network: Network = .main) async throws -> WalletChain {
        try await chain(of: bench.wallet, height, network)
    }

    private var order: WalletOrder {
        get throws {
            WalletOrder(
                payments: [Payment(to: WalletBench.stranger, amount: try #require(Amount(satoshis: 5_000)))],
                fee: .rate(.relay))
        }
    }

    @Test func aHeightFarAheadOfTheClockIsNoLock() throws {
        #expect(throws: Never.self) { try ChainTip(height: Self.claim).requirePlausible(on: .main, at: Self.now) }
        for (height, lock) in [(976_229, 976_229), (996_229, 996_229), (996_230, 0), (Self.claim, 0), (0, 0)] {
            #expect(HeightEstimate.lock(height, on: .main, at: Self.now) == UInt32(lock))
        }
        #expect(HeightEstimate.lock(4_900_000, on: .test, at: Self.now) == 4_900_000)
        for time in [Int64.min, 0, .max] {
            #expect(HeightEstimate.lock(840_000, on: .main, at: UnixTime(seconds: time)) == 840_000)
        }
    }

    @Test(arguments: [(976_000, Network.main, true), (Self.claim, .main, false), (Self.claim, .regtest, true)])
    func aPaymentIsLockedToABelievableBlock(_ height: Int, _ network: Network, _ isLocked: Bool) async throws {
        var generator = SeededGenerator()
        let stored = try manager().create(
            order, at: .relay, from: bench.wallet, try await chain(height, network), using: &generator)
        let lock = Int(stored.psbt.unsignedTransaction.lockTime)
        #expect(isLocked ? (height - 99...height).contains(lock) : lock == 0)
    }

    /// What was to be in the next block waits no longer than that; what was given to no server may have a lock on purpose.
    @Test(arguments: [false, true]) func aReplacementKeepsNoLockThatALieMade(_ drains: Bool) async throws {
        var order = try order
        if drains { (order.payments, order.drain) = ([], WalletBench.stranger) }
        for isGiven in [true, false] {
            let manager = manager()
            var generator = SeededGenerator()
            var old = try manager.create(
                order, at: .relay, from: bench.wallet, try await chain(990_000), using: &generator)
            let lock = old.psbt.unsignedTransaction.lockTime
            #expect(lock > 976_000)
            if isGiven { old.offered = Self.now }
            let new = try manager.bump(
                old, to: FeeRate(parsing: "5"), from: bench.opened, try await chain(976_000), using: &generator)
            #expect(new.psbt.unsignedTransaction.lockTime == (isGiven ? 976_000 : lock))
        }
    }

    /// The lock that a spending path takes stays, whatever a server says.
    @Test(arguments: [(190, 190), (170, 180)]) func aReplacementKeepsItsPathOpen(_ tip: Int, _ lock: Int) async throws {
        let keys = try [1, 2].map { try SampleWallet(seed: $0) }
        let policy = SamplePolicy("or_d(pk(#A),and_v(v:pk(#B),after(180)))", keys)
        let wallet = try WalletDraft(
            name: WalletName(parsing: "w"), network: .regtest, descriptors: [try #require(policy.descriptor().text)]
        ).wallet
        try bench.source.pay(wallet.script(at: .init(descriptor: 0, branch: 0, index: 0)), 50_000, salt: 9)
        var order = try order
        (order.path, order.lockTime) = (2, 200)
        let manager = manager()
        var generator = SeededGenerator()
        var old = try manager.create(
            order, at: .relay, from: wallet, try await chain(of: wallet, 200, .regtest), using: &generator)
        #expect(old.psbt.unsignedTransaction.lockTime == 200)
        old.offered = Self.now
        let stored = StoredWallet(
            name: "w", network: .regtest, descriptors: wallet.descriptors.compactMap(DescriptorText.init), created: 1)
        let new = try manager.bump(
            old, to: FeeRate(parsing: "5"), from: OpenedWallet(stored, network: nil),
            try await chain(of: wallet, tip, .regtest), using: &generator)
        #expect(new.psbt.unsignedTransaction.lockTime == UInt32(lock))
    }

    @Test(arguments: [(976_000, true), (Self.claim, false)])
    func aSweepIsLockedToABelievableBlock(_ height: Int, _ isLocked: Bool) async throws {
        let chain = FakeChain(.main)
        chain.grow(to: height)
        _ = try await chain.tip()
        let key = try SampleWallet(seed: 4).publicKey(DerivationPath(parsing: "m/0"))
        let address = try #require(Address(scriptPubKey: .p2wpkh(key), network: .main))
        try chain.pay(address.scriptPubKey, 100_000, salt: 1)
        let source = SweepPlan.Source(
            slot: SlotNumber(index: 0), address: address,
            coins: try await chain.coins(of: [address.scriptPubKey])[0])
        let destination = try #require(Address(scriptPubKey: WalletBench.stranger, network: .main))
        var generator = SeededGenerator()
        let planned = try await SweepPlanning(
            manager: manager(), order: SweepOrder(.opened, to: destination, fee: .rate(.relay)), source: chain
        ).plan([source], using: &generator)
        let lock = Int(planned.plan.psbt.unsignedTransaction.lockTime)
        #expect(isLocked ? (height - 99...height).contains(lock) : lock == 0)
        // One that was locked so far ahead is not replaced by another one like that.
        let far = try SweepPlan([source], to: destination, feeRate: .relay, tip: height, using: &generator)
        let old = StoredTransaction(psbt: far.psbt, network: .main, created: 1, updated: 1, drains: true)
        let new = try manager().bumpSweep(old, to: FeeRate(parsing: "5"), using: &generator)
        #expect(new.psbt.unsignedTransaction.lockTime == (isLocked ? far.psbt.unsignedTransaction.lockTime : 0))
    }
}
