import Bitcoin
import ChainData
import FlowSupport
import TestSupport
import Testing

@testable import TapManager

/// What a wallet learns from a chain server.
@Suite struct WalletSyncTests {
    @Test func findsCoinsUpToTheGap() async throws {
        let bench = try WalletBench()
        try bench.source.pay(bench.script(0, 0), 1_000, salt: 1)
        try bench.source.pay(bench.script(0, 20), 2_000, salt: 2)
        try bench.source.pay(bench.script(1, 3), 4_000, salt: 3, height: nil)
        // Behind 20 unused ones nobody looks.
        try bench.source.pay(bench.script(0, 300), 8_000, salt: 4)
        let chain = try await bench.chain()
        #expect(chain.balance(isConfirmed: true)?.satoshis == 3_000)
        #expect(chain.balance(isConfirmed: false)?.satoshis == 4_000)
        #expect(chain.nextIndex(descriptor: 0, branch: 0) == 21)
        #expect(chain.nextIndex(descriptor: 0, branch: 1) == 4)
        #expect(chain.scripts.count == 25)
        #expect(chain.scripts.filter(\.isUsed).count == 3)
        #expect(chain.height == 200 && chain.server == "fake" && chain.hasHistory)
    }

    @Test func aWiderGapFindsMore() async throws {
        let bench = try WalletBench()
        try bench.source.pay(bench.script(0, 99), 1_000, salt: 1)
        #expect(try await bench.chain().coins.isEmpty)
        #expect(try await bench.chain(gapLimit: 100).coins.count == 1)
    }

    @Test func whatIsKnownIsNotAskedForAgain() async throws {
        let bench = try WalletBench()
        for index in 0..<50 { try bench.source.pay(bench.script(0, UInt32(index)), 1_000, salt: UInt32(index)) }
        let first = try await bench.chain()
        #expect(first.coins.count == 50 && first.transactions.count == 50)
        // 20, then twice as many each time.
        #expect(bench.source.calls("histories") == 3)
        // Whether an address is used is known only by the transactions.
        let fetched = bench.source.calls("transactions")
        #expect(fetched == 3)
        try bench.source.pay(bench.script(0, 50), 1_000, salt: 50)
        let second = try await bench.chain(known: first)
        #expect(second.coins.count == 51)
        #expect(bench.source.calls("transactions") == fetched + 1)
        #expect(bench.source.calls("histories") == 5)
        let third = try await bench.chain(known: second)
        #expect(third == second)
        #expect(bench.source.calls("transactions") == fetched + 1)
    }

    @Test func whatIsSpentIsNoCoin() async throws {
        let bench = try WalletBench()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let spending = try bench.spending(
            [coin], [WalletBench.output(3_000), WalletBench.output(6_500, try bench.script(1, 0))])
        bench.source.add(spending, height: nil)
        let chain = try await bench.chain()
        #expect(chain.coins.map(\.output.value) == [6_500])
        let entries = WalletHistory(chain).entries
        #expect(entries.map(\.id) == [spending.id, coin.transactionID])
        #expect(entries.map(\.net) == [-3_500, 10_000])
        #expect(entries[0].fee?.satoshis == 500)
        #expect(entries[1].fee == nil)
    }

    @Test func aReorganizationIsFollowed() async throws {
        let bench = try WalletBench()
        try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let known = try await bench.chain()
        let other = try WalletBench()
        try other.source.pay(other.script(0, 1), 5_000, salt: 9, height: 101)
        let chain = try await WalletSync(bench.wallet, source: other.source)
            .run(known: known, at: UnixTime(seconds: 2))
        #expect(chain.transactions.count == 1)
        #expect(chain.coins.map(\.output.value) == [5_000])
    }

    @Test func aWalletNeverForgetsHowFarItReaches() async throws {
        let bench = try WalletBench()
        let wide = FakeChain()
        try wide.pay(bench.script(0, 24), 10_000, salt: 1)
        let known = try await WalletSync(bench.wallet, source: wide, gapLimit: 50)
            .run(known: nil, at: UnixTime(seconds: 1))
        let empty = try await WalletSync(bench.wallet, source: FakeChain()).run(known: known, at: UnixTime(seconds: 2))
        #expect(empty.coins.isEmpty && empty.nextIndex(descriptor: 0, branch: 0) == 25)
        let again = try await WalletSync(bench.wallet, source: wide).run(known: empty, at: UnixTime(seconds: 3))
        #expect(again.coins.count == 1)
    }

    @Test func aTipThatCannotBeYetIsALie() async throws {
        let time = UnixTime(seconds: 1_795_309_323)
        #expect(throws: Never.self) { try ChainTip(height: 980_000).requirePlausible(on: .main, at: time) }
        #expect(throws: ChainError.self) { try ChainTip(height: 499_999_999).requirePlausible(on: .main, at: time) }
        #expect(throws: Never.self) { try ChainTip(height: 4_900_000).requirePlausible(on: .test, at: time) }
    }

    /// The last block is asked for again only if a transaction is in a later one, as blocks arrive meanwhile.
    @Test(arguments: [[], [.histories]] as [Set<ChainFeature>])
    func aBlockAfterTheLastOneIsALie(_ features: Set<ChainFeature>) async throws {
        let cases = [(200, 200, 1), (201, 201, 2), (201, 203, 2), (203, 201, 2), (204, 201, 2), (499_999_999, 200, 2)]
        for (height, last, calls) in cases {
            let bench = try WalletBench(over: FakeChain(features: features))
            try bench.source.pay(bench.script(0, 0), 1_000, salt: 1, height: height)
            bench.source.grow(to: last)
            if height <= last {
                let chain = try await bench.chain()
                #expect(chain.height == (calls == 1 ? 200 : last) && chain.coins.map(\.height) == [height])
            } else {
                let error = await #expect(throws: WalletError.self) { try await bench.chain() }
                // Servers behind one address can differ by a block or two.
                #expect(error?.code == (height <= last + 2 ? .chainNotReady : .chainLied))
            }
            #expect(bench.source.calls("tip") == calls)
        }
    }

    @Test func aServerWithoutHistoriesTellsCoins() async throws {
        let bench = try WalletBench()
        let source = FakeChain(features: [])
        try source.pay(bench.script(0, 500), 1_000, salt: 1)
        try source.pay(bench.script(1, 2), 2_000, salt: 2)
        let sync = WalletSync(bench.wallet, source: source)
        let chain = try await sync.run(known: nil, at: UnixTime(seconds: 1))
        #expect(!chain.hasHistory)
        #expect(chain.balance(isConfirmed: true)?.satoshis == 3_000)
        #expect(chain.nextIndex(descriptor: 0, branch: 0) == 501)
        #expect(source.calls("histories") == 0)
        #expect(source.calls("unspent") == 1)
    }

    /// A node without a wallet looks for what waits only while there is not too much of it.
    @Test(
        arguments: [
            ([], nil, false), ([.unconfirmed], nil, true), ([], 700, true), ([.histories, .unconfirmed], nil, true),
        ] as [(Set<ChainFeature>, Int64?, Bool)])
    func whetherTheServerLookedForWhatWaitsIsKept(
        _ features: Set<ChainFeature>, _ waiting: Int64?, _ knows: Bool
    ) async throws {
        let bench = try WalletBench(over: FakeChain(features: features))
        try bench.source.pay(bench.script(0, 1), 1_000, salt: 1)
        if let waiting { try bench.source.pay(bench.script(0, 2), waiting, salt: 2, height: nil) }
        let chain = try await bench.chain()
        let expected: Int64? = knows ? waiting ?? 0 : nil
        #expect(chain.knowsUnconfirmed == knows)
        #expect(WalletSynchronization(chain).unconfirmed?.satoshis == expected)
        #expect(WalletSynchronization(chain).confirmed?.satoshis == 1_000)
    }

    @Test func aSingleAddressIsAskedForOnce() async throws {
        let address = try #require(Address(scriptPubKey: WalletBench.stranger, network: .regtest))
        let wallet = try WalletDraft(
            name: WalletName(parsing: "a"), network: .regtest, descriptors: ["addr(\(address))"]
        ).wallet
        let source = FakeChain()
        try source.pay(WalletBench.stranger, 700, salt: 1)
        let chain = try await WalletSync(wallet, source: source).run(known: nil, at: UnixTime(seconds: 1))
        #expect(chain.coins.count == 1 && chain.scripts.count == 1)
        #expect(source.calls("histories") == 1)
    }

    @Test func coinbasesRipen() throws {
        let place = WalletPlace(descriptor: 0, branch: 0, index: 0)
        let id = try #require(TransactionID([UInt8](repeating: 1, count: 32)))
        func coin(_ height: Int?, _ isCoinbase: Bool) -> WalletCoin {
            WalletCoin(
                outpoint: Outpoint(transactionID: id, index: 0),
                output: TransactionOutput(value: 1, scriptPubKey: Script()), place: place, height: height,
                isCoinbase: isCoinbase)
        }
        #expect(coin(101, true).isMature(at: 200))
        #expect(!coin(102, true).isMature(at: 200))
        #expect(!coin(nil, true).isMature(at: 200))
        #expect(coin(nil, false).isMature(at: 0))
    }
}
