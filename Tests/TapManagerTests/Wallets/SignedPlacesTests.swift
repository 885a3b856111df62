import Bitcoin
import ChainData
import FlowSupport
import TestSupport
import Testing

@testable import TapManager

/// Change that a PSBT sends far out, where a search with the usual gap limit does not get.
@Suite struct SignedPlacesTests {
    private let bench: WalletBench
    private let store = MemoryStore()

    init() throws { bench = try WalletBench() }

    private func manager(over other: FakeChain? = nil) -> CardManager {
        CardManager(
            store: store, chain: ChainServers(other ?? bench.source), interaction: NobodyToAsk(),
            clock: { UnixTime(seconds: 5) })
    }

    private func opened() async throws -> OpenedWallet {
        let text = try #require(bench.wallet.descriptors.first?.text)
        return try await manager().addWallet(named: "w", of: .parsing([text]), network: .regtest).wallet
    }

    /// Pays from the first address with change at an index, and stores it; signed by a card of this store, or by others.
    private func pay(
        changeAt index: UInt32, isSignedHere: Bool = true, wallet: String? = "w", beside foreign: Outpoint? = nil
    ) throws -> (coin: Outpoint, whole: Transaction) {
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let place = WalletPlace(descriptor: 0, branch: 1, index: index)
        let spending = try bench.wallet.spending(at: place)
        var psbt = try bench.signedPSBT(
            spending: [coin] + (foreign.map { [$0] } ?? []),
            [WalletBench.output(3_000), WalletBench.output(6_500, bench.script(1, index))])
        for derivation in spending.derivations { psbt[output: 1].addDerivation(derivation) }
        let signature = try #require(psbt.inputs[0].partialSignatures.first)
        let whole = SigningResult(psbt, added: 0).transaction ?? psbt.unsignedTransaction
        let stored = StoredTransaction(
            psbt: psbt, network: .regtest, wallet: wallet, created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1))
        _ = try store.updateTransaction(stored.id) { _ throws(StoreError) in stored }
        if isSignedHere {
            let made = StoredSignature(inputIndex: 0, signature: signature, signer: bench.keys.fingerprint)
            try store.add(made, to: stored.id, at: UnixTime(seconds: 2))
        }
        return (coin, whole)
    }

    /// What was signed here as this wallet's is in its balance, whichever index it has, also if the wallet was added later.
    /// The next addresses stay where other wallets look, and a server is asked about one address more.
    @Test(arguments: [20, 1_000, 2_000_000] as [UInt32], ["w", nil])
    func itIsFound(_ index: UInt32, _ name: String?) async throws {
        let wallet = try await opened()
        let (_, whole) = try pay(changeAt: index, wallet: name)
        bench.source.add(whole, height: 150)
        let chain = try await manager().synchronize(wallet)
        #expect(chain.coins.map(\.output.value) == [6_500] && chain.scripts.count == 2)
        #expect(WalletHistory(chain).entries.first?.net == -3_500)
        #expect(chain.nextIndex(descriptor: 0, branch: 1) == 0)
        #expect(try await manager().synchronize(wallet).coins == chain.coins)
        #expect(store.chain(of: "w") == chain)
    }

    /// Others may pay, too: their coins are not the wallet's.
    @Test func itIsFoundBesideForeignCoins() async throws {
        let wallet = try await opened()
        let foreign = try bench.source.pay(WalletBench.stranger, 5_000, salt: 9)
        _ = try pay(changeAt: 1_000, beside: foreign)
        let places = try store.signedPlaces(of: bench.wallet, beyond: 20, after: nil)
        #expect(places == [WalletPlace(descriptor: 0, branch: 1, index: 1_000)])
        _ = wallet
    }

    /// An answer from before, or of a server that concealed it until the payment was settled, does not hide it for ever.
    @Test func itIsNeverForgotten() async throws {
        let wallet = try await opened()
        let (_, whole) = try pay(changeAt: 1_000)
        bench.source.add(whole, height: 150)
        let concealed = try await WalletSync(bench.wallet, source: bench.source).run(
            known: nil, at: UnixTime(seconds: 1))
        #expect(concealed.coins.isEmpty && concealed.transactions.count == 2)
        try store.save(concealed, of: wallet.stored, at: UnixTime(seconds: 1))
        for _ in 0..<2 {
            #expect(try await manager().synchronize(wallet).coins.map(\.output.value) == [6_500])
            #expect(store.transactions(limit: 1, offset: 0)[0].isSettled)
        }
    }

    /// Who sends a PSBT leads nowhere, unless it is signed here; nor do more of them than a server can be asked about.
    @Test func nobodyElseLeadsThere() async throws {
        let wallet = try await opened()
        let (_, whole) = try pay(changeAt: 1_000, isSignedHere: false)
        bench.source.add(whole, height: 150)
        #expect(try await manager().synchronize(wallet).coins.isEmpty)
        let coin = try bench.source.pay(bench.script(0, 0), 1_000_000, salt: 3)
        var psbt = try bench.signedPSBT(
            spending: [coin], (0..<200).map { WalletBench.output(1_000, try bench.script(1, 1_000 + $0)) })
        for index in 0..<200 {
            let place = WalletPlace(descriptor: 0, branch: 1, index: 1_000 + UInt32(index))
            for derivation in try bench.wallet.spending(at: place).derivations {
                psbt[output: index].addDerivation(derivation)
            }
        }
        let signature = try #require(psbt.inputs[0].partialSignatures.first)
        let stored = StoredTransaction(psbt: psbt, created: UnixTime(seconds: 3), updated: UnixTime(seconds: 3))
        _ = try store.updateTransaction(stored.id) { _ throws(StoreError) in stored }
        try store.add(
            StoredSignature(inputIndex: 0, signature: signature, signer: bench.keys.fingerprint), to: stored.id,
            at: UnixTime(seconds: 4))
        #expect(try store.signedPlaces(of: bench.wallet, beyond: 20, after: nil).count == 100)
        #expect(try store.signedPlaces(of: bench.wallet, beyond: 1_150, after: nil).count == 50)
    }

    /// A server that knows only what is unspent is asked about it, too.
    @Test(arguments: [1_000, 2_000_000] as [UInt32])
    func aServerWithoutHistoriesIsAskedAboutIt(_ index: UInt32) async throws {
        let wallet = try await opened()
        let (coin, whole) = try pay(changeAt: index)
        let blind = FakeChain(features: [])
        blind.add(try #require(bench.source.transaction(coin.transactionID)), height: 100)
        blind.add(whole, height: 150)
        let chain = try await manager(over: blind).synchronize(wallet)
        #expect(chain.coins.map(\.output.value) == [6_500] && chain.nextIndex(descriptor: 0, branch: 1) == 0)
    }
}
