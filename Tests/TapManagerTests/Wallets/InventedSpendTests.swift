import Bitcoin
import ChainData
import FlowSupport
import TapManager
import TestSupport
import Testing

/// Servers that tell of spends which nobody signed. Who believes them takes his money for gone, and pays once more.
@Suite struct InventedSpendTests {
    /// The lie that a synchronization ends with.
    private func lie(_ bench: WalletBench, known: WalletChain? = nil) async -> String? {
        do throws(any Error) {
            _ = try await bench.chain(known: known)
            return nil
        } catch {
            guard case .chain(.liar(let what))? = error as? WalletError else { return "\(error)" }
            return what
        }
    }

    @Test(arguments: SampleWallet.Kind.allCases, [nil, 150]) func aSpendWithoutSignatureIsALie(
        _ kind: SampleWallet.Kind, height: Int?
    ) async throws {
        let bench = try WalletBench(kind)
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let invented = Transaction(
            inputs: [TransactionInput(outpoint: coin)], outputs: [WalletBench.output(9_000)])
        bench.source.add(invented, height: height)
        #expect(await lie(bench)?.contains("\(invented.id)") == true)
    }

    /// The id says nothing of witnesses: a true transaction comes with another's.
    @Test func aSpendWithAnotherSignatureIsALie() async throws {
        let bench = try WalletBench()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let signed = try bench.spending([coin], [WalletBench.output(9_000)])
        var stripped = signed
        stripped.inputs[0].witness = []
        var other = signed
        other.inputs[0].witness = try bench.spending([coin], [WalletBench.output(8_000)]).inputs[0].witness
        for (lie, height) in [(stripped, 150), (other, 151)] {
            let liar = try WalletBench()
            try liar.source.pay(liar.script(0, 0), 10_000, salt: 1)
            #expect(lie.id == signed.id)
            liar.source.add(lie, height: height)
            #expect(await self.lie(liar)?.contains("\(signed.id)") == true)
        }
        bench.source.add(signed, height: 150)
        #expect(try await bench.chain().coins.isEmpty)
    }

    @Test(arguments: SampleWallet.Kind.allCases) func aSpendThatWasSignedIsBelieved(
        _ kind: SampleWallet.Kind
    ) async throws {
        let bench = try WalletBench(kind)
        let coins = try (0..<3).map { try bench.source.pay(bench.script(0, $0), 10_000, salt: $0 + 1) }
        let first = try bench.spending([coins[0]], [WalletBench.output(9_000, try bench.script(1, 0))])
        bench.source.add(first, height: 120)
        bench.source.add(
            try bench.spending(
                [coins[1], Outpoint(transactionID: first.id, index: 0)], [WalletBench.output(18_000)]), height: nil)
        let chain = try await bench.chain()
        #expect(chain.areSpendsProven)
        #expect(chain.coins.map(\.outpoint) == [coins[2]])
    }

    /// Signed today, valid in a year: nobody can have mined it. Heights may be off by a day of blocks, and the clock, which says
    /// that it is second 1 of 1970, by a day.
    @Test(
        arguments: [
            (0xFFFF_FFFD, 293, 150, true), (0xFFFF_FFFD, 294, 150, false), (0xFFFF_FFFD, 344, nil, true),
            (0xFFFF_FFFD, 345, nil, false), (0xFFFF_FFFF, 400, 150, true), (0xFFFF_FFFD, 500_000_000, 150, false),
            (194, 0, 150, true), (195, 0, 150, false), (245, 0, nil, true), (246, 0, nil, false),
            (52_560, 0, 150, false),
            // A lock of time, and none.
            (1 << 22 | 0xFFFF, 0, 150, true), (1 << 31 | 0xFFFF, 0, 150, true),
        ] as [(UInt32, UInt32, Int?, Bool)])
    func aSpendBeforeItsTimeIsALie(_ sequence: UInt32, _ lockTime: UInt32, _ height: Int?, _ isValid: Bool) async throws
    {
        let bench = try WalletBench()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let spend = try bench.spending(
            [coin], [WalletBench.output(9_000)], sequence: sequence, lockTime: lockTime)
        bench.source.add(spend, height: height)
        let lie = await lie(bench)
        #expect(isValid ? lie == nil : lie?.contains("\(spend.id)") == true, "\(lie ?? "none")")
    }

    /// Blocks come while the server is asked: what is in one of these is there.
    @Test func theChainGrowsWhileItIsAskedFor() async throws {
        let bench = try WalletBench()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        bench.source.add(try bench.spending([coin], [WalletBench.output(9_000)], lockTime: 899), height: 900)
        bench.source.grow(to: 900)
        #expect(await lie(bench) == nil)
    }

    @Test(arguments: [0, 1]) func oneOfSeveralSpendsWithoutSignatureIsALie(_ index: Int) async throws {
        let bench = try WalletBench()
        let coins = try (0..<2).map { try bench.source.pay(bench.script(0, $0), 10_000, salt: $0 + 1) }
        var invented = try bench.spending(coins, [WalletBench.output(19_000)])
        invented.inputs[index].witness = []
        bench.source.add(invented, height: 150)
        #expect(await lie(bench)?.contains("\(invented.id)") == true)
    }

    /// A payment that is told of no more is put back as one of our own only when its signatures were verified.
    @Test(arguments: [true, false]) func onlyProvenSpendsAreRestored(_ isProven: Bool) async throws {
        let bench = try WalletBench()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let later = try await bench.chain()
        bench.source.add(try bench.spending([coin], [WalletBench.output(9_000)]), height: 150)
        let told = try await bench.chain()
        let known = WalletChain(
            network: told.network, server: told.server, height: told.height, time: told.time, hasHistory: true,
            areSpendsProven: isProven, scripts: told.scripts, transactions: told.transactions, coins: told.coins)
        let restored = try MemoryStore().restoreVanished(
            of: bench.wallet, from: known, by: later, at: UnixTime(seconds: 2))
        #expect(restored.count == (isProven ? 1 : 0))
    }

    /// What others spend beside the wallet's coins is theirs to sign, and not looked at.
    @Test func othersInputsNeedNotVerify() async throws {
        let bench = try WalletBench()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let outputs = [WalletBench.output(19_000)]
        var joint = try bench.spending([coin], outputs)
        let foreign = Outpoint(transactionID: try #require(TransactionID([UInt8](repeating: 8, count: 32))), index: 0)
        joint.inputs.append(TransactionInput(outpoint: foreign))
        bench.source.add(joint, height: 150)
        // The wallet's own signature is for the transaction without that input.
        #expect(await lie(bench)?.contains("\(joint.id)") == true)

        let honest = try WalletBench()
        try honest.source.pay(honest.script(0, 0), 10_000, salt: 1)
        let funding = try SampleWallet.funding(WalletBench.stranger, amount: 10_000, salt: 7)
        var unsigned = Transaction(
            inputs: [
                TransactionInput(outpoint: Outpoint(transactionID: funding.id, index: 1)),
                TransactionInput(outpoint: coin),
            ], outputs: outputs)
        let previous = try #require(honest.source.transaction(coin.transactionID))
        let key = try honest.keys.path(.p2wpkh, branch: 0, index: 0)
        let digest = try SighashCache(unsigned).segwitV0Digest(
            input: 1, scriptCode: .p2pkh(try honest.keys.publicKey(key)),
            amount: try #require(previous.outputs[1].amount), type: .all)
        let signature = try honest.keys.master.descendant(key).privateKey.signGrindingLowR(digest: digest)
        unsigned.inputs[1].witness = [signature.der + [1], try honest.keys.publicKey(key).bytes]
        honest.source.add(unsigned, height: 150)
        #expect(try await honest.chain().coins.isEmpty)
    }

    /// What was stored before spends were proven is proven when it is used.
    @Test func whatWasStoredIsNotBelievedForThat() async throws {
        let bench = try WalletBench()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let honest = try await bench.chain()
        let invented = Transaction(inputs: [TransactionInput(outpoint: coin)], outputs: [WalletBench.output(9_000)])
        func known(_ areSpendsProven: Bool) -> WalletChain {
            WalletChain(
                network: .regtest, server: "fake", height: 200, time: UnixTime(seconds: 1), hasHistory: true,
                areSpendsProven: areSpendsProven, scripts: honest.scripts,
                transactions: honest.transactions + [
                    WalletTransaction(transaction: invented, id: invented.id, height: 150)
                ], coins: [])
        }
        #expect(throws: ChainError.self) { try known(false).proven() }
        #expect(try honest.proven() == honest)
        bench.source.add(invented, height: 150)
        #expect(await lie(bench, known: known(false))?.contains("\(invented.id)") == true)
        // What was proven is not proven again.
        #expect(await lie(bench, known: known(true)) == nil)
    }

    /// A transaction that was proven when one of its coins was not known to be the wallet's is looked at once more.
    @Test func aCoinThatIsFoundLaterIsProvenThen() async throws {
        let bench = try WalletBench()
        let coins = [
            try bench.source.pay(bench.script(0, 0), 10_000, salt: 1),
            try bench.source.pay(bench.script(0, 45), 20_000, salt: 2),
        ]
        var half = try bench.spending(coins, [WalletBench.output(29_000)])
        half.inputs[1].witness = []
        bench.source.add(half, height: 150)
        let known = try await bench.chain()
        #expect(known.transactions.count == 2)
        await #expect(throws: WalletError.self) { try await bench.chain(known: known, gapLimit: 50) }
    }

    @Test func twoSpendsOfOneCoinInBlocksAreALie() async throws {
        let bench = try WalletBench()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        for (value, height) in [(Int64(9_000), 150), (8_000, 151)] {
            bench.source.add(
                try bench.spending([coin], [WalletBench.output(value, try bench.script(1, 0))]), height: height)
        }
        #expect(await lie(bench)?.contains("same coin") == true)
    }

    /// The change of a transaction and of what replaced it is not counted twice.
    @Test(arguments: [nil, 150]) func ofReplacedTransactionsOneCounts(height: Int?) async throws {
        let bench = try WalletBench()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let old = try bench.spending([coin], [WalletBench.output(9_000, try bench.script(1, 0))])
        let new = try bench.spending([coin], [WalletBench.output(8_000, try bench.script(1, 1))])
        bench.source.add(old, height: nil)
        bench.source.add(new, height: height)
        for (id, index) in [(old.id, UInt32(2)), (new.id, 3)] {
            bench.source.add(
                try bench.spending(
                    [Outpoint(transactionID: id, index: 0)], [WalletBench.output(7_000, try bench.script(1, index))]),
                height: nil)
        }
        let chain = try await bench.chain()
        #expect(chain.transactions.count == 3)
        #expect(chain.coins.map(\.output.value) == [7_000])
        if height != nil { #expect(chain.transactions.contains { $0.id == new.id }) }
    }

    @Test func moreMoneyThanThereIsIsALie() async throws {
        let bench = try WalletBench()
        let much = try SampleWallet.funding(bench.script(0, 0), amount: 2_100_000_000_000_000, salt: 1)
        bench.source.add(much, height: 100)
        #expect(await lie(bench)?.contains("more money than there is") == true)
    }

    /// A server without histories tells of a transaction between coins that it tells of.
    @Test func aServerWithoutHistoriesIsHeldToItAsWell() async throws {
        let bench = try WalletBench()
        let source = FakeChain(features: [])
        let coin = try source.pay(bench.script(0, 0), 10_000, salt: 1)
        // Its output 0 is the wallet's, too, and stays.
        let funding = Transaction(
            inputs: [TransactionInput(outpoint: coin)],
            outputs: [
                WalletBench.output(4_000, try bench.script(0, 1)), WalletBench.output(5_000, try bench.script(0, 2)),
            ])
        source.add(funding, height: nil)
        let invented = Transaction(
            inputs: [TransactionInput(outpoint: Outpoint(transactionID: funding.id, index: 0))],
            outputs: [WalletBench.output(3_000, try bench.script(1, 0))])
        source.add(invented, height: nil)
        await #expect(throws: WalletError.self) {
            try await WalletSync(bench.wallet, source: source).run(known: nil, at: UnixTime(seconds: 1))
        }
    }
}
