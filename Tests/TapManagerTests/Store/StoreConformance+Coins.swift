import Bitcoin
import FlowSupport
import TestSupport
import Testing

@testable import TapManager

/// Coins that stored transactions hold, and what chain servers say of wallets.
extension StoreConformance {
    private static func transaction(_ psbt: PSBT, sent: UnixTime? = nil) -> StoredTransaction {
        StoredTransaction(psbt: psbt, network: .regtest, wallet: "w", note: "", created: 1, updated: 1, sent: sent)
    }

    private static func coins(_ psbt: PSBT) -> Set<Outpoint> { Set(psbt.unsignedTransaction.inputs.map(\.outpoint)) }

    @Test(arguments: StoreKind.allCases) func aCoinIsInOneTransactionOnly(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let one = try StoreSample.psbt(payment: 1_000, inputs: 2)
        let other = try StoreSample.psbt(payment: 2_000, inputs: 1)
        let (id, otherID) = (one.unsignedTransaction.id, other.unsignedTransaction.id)
        #expect(try bench.store.takenCoins().isEmpty)
        try bench.store.create(Self.transaction(one), replacing: nil)
        #expect(try bench.store.takenCoins() == Dictionary(uniqueKeysWithValues: Self.coins(one).map { ($0, id) }))
        let shared = Dictionary(uniqueKeysWithValues: Self.coins(other).map { ($0, id) })
        #expect(throws: StoreError.coinsTaken(shared)) {
            try bench.store.create(Self.transaction(other), replacing: nil)
        }
        #expect(throws: StoreError.coinsTaken(shared)) {
            try bench.store.create(Self.transaction(other), replacing: otherID)
        }
        #expect(try bench.store.transaction(id) != nil)
        #expect(try bench.store.transaction(otherID) == nil)
        #expect(try bench.store.deleteTransaction(id))
        #expect(try bench.store.takenCoins().isEmpty)
        try bench.store.create(Self.transaction(other), replacing: nil)
        #expect(try Set(bench.store.takenCoins().keys) == Self.coins(other))
    }

    @Test(arguments: StoreKind.allCases) func importedTransactionsHoldTheirCoins(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let psbt = try StoreSample.psbt(inputs: 3)
        _ = try bench.store.merge(psbt, at: 1)
        _ = try bench.store.merge(psbt, at: 2)
        #expect(try Set(bench.store.takenCoins().keys) == Self.coins(psbt))
    }

    @Test(arguments: StoreKind.allCases) func aReplacementTakesThePlaceOfWhatWasNotSent(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let old = try StoreSample.psbt(payment: 1_000)
        let (second, third) = (try StoreSample.psbt(payment: 2_000), try StoreSample.psbt(payment: 3_000))
        try bench.store.create(Self.transaction(old), replacing: nil)
        try bench.store.create(Self.transaction(second), replacing: old.unsignedTransaction.id)
        #expect(try bench.store.transaction(old.unsignedTransaction.id) == nil)
        _ = try bench.store.updateTransaction(second.unsignedTransaction.id) { stored throws(StoreError) in
            var sent = stored ?? Self.transaction(second)
            sent.sent = 9
            return sent
        }
        try bench.store.create(Self.transaction(third), replacing: second.unsignedTransaction.id)
        #expect(try bench.store.transaction(second.unsignedTransaction.id)?.sent == 9)
        let states = try bench.store.transactions(limit: 9, offset: 0).map(\.state)
        #expect(states == [.unsigned, .sent])
        // Once more: the one that was sent first shares the coin, and makes room again.
        _ = try bench.store.updateTransaction(third.unsignedTransaction.id) { stored throws(StoreError) in
            var sent = stored ?? Self.transaction(third)
            sent.sent = 10
            return sent
        }
        let fourth = try StoreSample.psbt(payment: 4_000)
        try bench.store.create(Self.transaction(fourth), replacing: third.unsignedTransaction.id)
        #expect(try bench.store.transactionCount() == 3)
    }

    /// Whatever it answered, a server can pass on what it was given.
    @Test(arguments: StoreKind.allCases) func aReplacementLeavesWhatAServerWasGiven(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let (old, new) = (try StoreSample.psbt(payment: 1_000), try StoreSample.psbt(payment: 2_000))
        var given = Self.transaction(old)
        given.offered = 9
        try bench.store.create(given, replacing: nil)
        try bench.store.create(Self.transaction(new), replacing: given.id)
        let kept = try bench.store.transaction(given.id)
        #expect(kept?.offered == 9 && kept?.sent == nil)
        #expect(try bench.store.transactionCount() == 2)
        // What is continued is the replacement.
        #expect(try Set(bench.store.takenCoins().values) == [new.unsignedTransaction.id])
    }

    @Test(arguments: StoreKind.allCases) func aWalletsNameIsTakenOnce(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let wallet = StoredWallet(name: "ü w", network: .regtest, descriptors: ["d1"], created: 1)
        try bench.store.add(wallet)
        let other = StoredWallet(name: "ü w", network: .main, descriptors: ["d2"], created: 2)
        #expect(throws: StoreError.walletExists("ü w")) { try bench.store.add(other) }
        #expect(try bench.store.wallets() == [wallet])
    }

    @Test(arguments: StoreKind.allCases) func whatAServerSaidComesBack(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let chain = try StoreSample.chain()
        let wallet = StoredWallet(name: "w", network: .regtest, descriptors: ["d"], created: 1)
        #expect(throws: StoreError.noSuchWallet("w")) { try bench.store.save(chain, of: wallet, at: 3_000_000_000) }
        try bench.store.add(wallet)
        try bench.store.add(StoredWallet(name: "v", network: .regtest, descriptors: ["d"], created: 1))
        #expect(try bench.store.chain(of: "w") == nil)
        try bench.store.save(chain, of: wallet, at: 3_000_000_000)
        #expect(try bench.store.chain(of: "w") == chain)
        #expect(try bench.store.chain(of: "v") == nil)
        // A slower run that began before does not undo it.
        let earlier = WalletChain(
            network: .regtest, server: "slow", height: 7, time: 8, hasHistory: false, scripts: [], transactions: [],
            coins: [])
        try bench.store.save(earlier, of: wallet, at: 3_000_000_000)
        #expect(try bench.store.chain(of: "w") == chain)
        let other = StoredWallet(name: "w", network: .regtest, descriptors: ["x"], created: 1)
        #expect(throws: StoreError.noSuchWallet("w")) { try bench.store.save(chain, of: other, at: 3_000_000_000) }
        let later = WalletChain(
            network: .signet, server: "other", height: 7, time: 8, hasHistory: false, knowsUnconfirmed: false,
            scripts: [], transactions: [], coins: [])
        try bench.store.save(later, of: wallet, at: 3_000_000_000)
        #expect(try bench.store.chain(of: "w") == later)
        // What a clock that was ahead dated into the future gives way.
        try bench.store.save(WalletChain(stamped: 1_700_000_000), of: wallet, at: 1_700_000_000)
        try bench.store.save(WalletChain(stamped: 8), of: wallet, at: 10)
        #expect(try bench.store.chain(of: "w") == WalletChain(stamped: 8))
        try bench.store.save(later, of: wallet, at: 10)
        // The wallet itself may be saved again without forgetting.
        try bench.store.save(StoredWallet(name: "w", network: .regtest, descriptors: ["d", "e"], created: 1))
        #expect(try bench.store.chain(of: "w") == later)
        #expect(try bench.store.deleteWallet(named: "w"))
        try bench.store.add(StoredWallet(name: "w", network: .regtest, descriptors: ["d"], created: 1))
        #expect(try bench.store.chain(of: "w") == nil)
    }
}

extension StoreSample {
    /// A server's answer with one of everything.
    static func chain() throws -> WalletChain {
        let transaction = try SampleWallet.funding(Script([0x51]), amount: 5_000, salt: 3)
        let place = WalletPlace(descriptor: 1, branch: 2, index: 4_000_000)
        return WalletChain(
            network: .regtest, server: "electrum:ü:1:s", height: 812_345, time: 1_700_000_000, hasHistory: true,
            scripts: [
                .init(place: WalletPlace(descriptor: 0, branch: 0, index: 0), script: Script([]), isUsed: false),
                .init(place: place, script: Script([0x51]), isUsed: true),
            ],
            transactions: [WalletTransaction(transaction: transaction, id: transaction.id, height: nil)],
            coins: [
                WalletCoin(
                    outpoint: Outpoint(transactionID: transaction.id, index: 1), output: transaction.outputs[1],
                    place: place, height: 812_000, isCoinbase: true)
            ])
    }
}

extension WalletChain {
    /// An empty answer of this time.
    fileprivate init(stamped time: UnixTime) {
        self.init(
            network: .signet, server: "s", height: 7, time: time, hasHistory: false, scripts: [], transactions: [],
            coins: [])
    }
}
