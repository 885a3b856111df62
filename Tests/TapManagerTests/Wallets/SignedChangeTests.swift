import Bitcoin
import ChainData
import FlowSupport
import TestSupport
import Testing

@testable import TapManager

/// Change that a PSBT sends far out, where wallets still look, but not a search with the usual gap limit.
@Suite struct SignedChangeTests {
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
        changeAt index: UInt32, isSignedHere: Bool = true, wallet: String? = "w"
    ) throws -> (coin: Outpoint, whole: Transaction) {
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let place = WalletPlace(descriptor: 0, branch: 1, index: index)
        let spending = try bench.wallet.spending(at: place)
        var psbt = try bench.signedPSBT(
            spending: [coin], [WalletBench.output(3_000), WalletBench.output(6_500, bench.script(1, index))])
        for derivation in spending.derivations { psbt[output: 1].addDerivation(derivation) }
        let signature = try #require(psbt.inputs[0].partialSignatures.first)
        let whole = try #require(SigningResult(psbt, added: 0).transaction)
        let stored = StoredTransaction(
            psbt: psbt, network: .regtest, wallet: wallet, created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1))
        _ = try store.updateTransaction(stored.id) { _ throws(StoreError) in stored }
        if isSignedHere {
            let made = StoredSignature(inputIndex: 0, signature: signature, signer: bench.keys.fingerprint)
            try store.add(made, to: stored.id, at: UnixTime(seconds: 2))
        }
        return (coin, whole)
    }

    /// What `tapkit sign` calls change back to this wallet is in the wallet's balance, whichever index it has, also if the
    /// wallet was added later.
    @Test(arguments: [20, 1_000] as [UInt32], ["w", nil]) func itIsFound(_ index: UInt32, _ name: String?) async throws
    {
        let wallet = try await opened()
        let (_, whole) = try pay(changeAt: index, wallet: name)
        bench.source.add(whole, height: 150)
        let chain = try await manager().synchronize(wallet)
        #expect(chain.coins.map(\.output.value) == [6_500])
        #expect(WalletHistory(chain).entries.first?.net == -3_500)
    }

    /// A server that conceals it until the payment is settled cannot make it be forgotten.
    @Test func itIsNeverForgotten() async throws {
        let wallet = try await opened()
        let (coin, whole) = try pay(changeAt: 1_000)
        let liar = FakeChain()
        liar.add(try #require(bench.source.transaction(coin.transactionID)), height: 100)
        for _ in 0..<2 { #expect(try await manager(over: liar).synchronize(wallet).coins.count == 1) }
        bench.source.add(whole, height: 150)
        #expect(try await manager().synchronize(wallet).coins.map(\.output.value) == [6_500])
        #expect(store.transactions(limit: 1, offset: 0)[0].isSettled)
        #expect(try await manager().synchronize(wallet).coins.map(\.output.value) == [6_500])
    }

    /// Nobody else leads the search: not who sends a PSBT that is not signed here, nor one beyond where wallets look.
    @Test(arguments: [(1_000, false), (1_001, true)] as [(UInt32, Bool)])
    func whatIsNotSignedAsChangeLeadsNowhere(_ index: UInt32, _ isSignedHere: Bool) async throws {
        let wallet = try await opened()
        let (_, whole) = try pay(changeAt: index, isSignedHere: isSignedHere)
        bench.source.add(whole, height: 150)
        #expect(try await manager().synchronize(wallet).coins.isEmpty)
    }

    /// A server that knows only what is unspent is asked as far as that, too.
    @Test func aServerWithoutHistoriesIsAskedAboutIt() async throws {
        let wallet = try await opened()
        let (coin, whole) = try pay(changeAt: 1_000)
        let blind = FakeChain(features: [])
        blind.add(try #require(bench.source.transaction(coin.transactionID)), height: 100)
        blind.add(whole, height: 150)
        #expect(try await manager(over: blind).synchronize(wallet).coins.map(\.output.value) == [6_500])
    }
}
