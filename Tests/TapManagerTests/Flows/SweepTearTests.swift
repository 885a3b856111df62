import Bitcoin
import ChainData
import FlowSupport
import Synchronization
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// A sweep of opened slots, torn everywhere: every signature is kept, and the next run goes on.
@Suite struct SweepTearTests {
    /// Coins of a node's at the addresses of a card's first slots, and the sweep of them.
    private struct Sweep {
        let sources: [SweepPlan.Source]
        let psbt: PSBT

        init(_ bench: FlowBench, slots count: Int) async throws {
            var sources: [SweepPlan.Source] = []
            for (index, slot) in try bench.slots().prefix(count).enumerated() {
                let text = try #require(slot.address)
                let address = try Address(parsing: text, network: .test)
                let source = FakeChain()
                let scripts = [address.scriptPubKey, address.scriptPubKey]
                for funding in try await BitcoinNode.shared().fundings(of: scripts, 20_000) {
                    source.add(funding, height: 100)
                }
                let coins = try await source.coins(of: [address.scriptPubKey])[0]
                sources.append(SweepPlan.Source(slot: SlotNumber(index: index), address: address, coins: coins))
            }
            self.sources = sources
            var generator = SeededGenerator(for: "sweep")
            let destination = try #require(Address(scriptPubKey: WalletBench.stranger, network: .test))
            psbt = try SweepPlan(sources, to: destination, feeRate: .relay, tip: 100, using: &generator).psbt
        }
    }

    @Test func everySignatureIsKept() async throws {
        var generator = SeededGenerator()
        let original = try FlowBench.satscard(opened: 2, using: &generator)
        let sweep = try await Sweep(original, slots: 2)
        let id = sweep.psbt.unsignedTransaction.id
        let complete = Mutex<Set<Transaction>>([])
        let tear = Tear(
            flow: { driver, bench, run in
                do throws(StoreError) {
                    if try bench.mortal.transaction(id) == nil {
                        try bench.mortal.create(
                            StoredTransaction(
                                psbt: sweep.psbt, created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1)),
                            replacing: nil)
                    }
                } catch { throw FlowError.store(error) }
                let stored = try #require(try bench.mortal.transaction(id))
                let plan = try SweepPlan(resuming: stored.psbt, sweep.sources, network: .test)
                let outcome = await SweepFlow(driver: driver, cvc: try CVC(FlowBench.cvc)).sign(plan)
                if let interruption = outcome.interruption { throw interruption }
                #expect(SigningResult(outcome.psbt, added: outcome.added).transaction != nil)
            },
            check: { bench, cell in
                let stored = try #require(bench.store.transaction(id), "\(cell)")
                let transaction = try #require(SigningResult(stored.psbt, added: 0).transaction, "\(cell)")
                #expect(transaction.inputs.count == 4, "\(cell)")
                complete.withLock { _ = $0.insert(transaction) }
                // The card signed nothing twice but what was lost on the way, and opened nothing.
                #expect(bench.reader.exchangeCounts["sign", default: 0] <= 5, "\(cell)")
                #expect(bench.reader.exchangeCounts["unseal"] == nil, "\(cell)")
            })
        try await tear.run(on: original, "sweep")
        let transactions = complete.withLock { Array($0) }
        #expect(!transactions.isEmpty)
        try await NodeJury.expectTaken(transactions)
    }

    @Test func aSlotOfAnotherAddressIsRefused() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 2, using: &generator)
        let sweep = try await Sweep(bench, slots: 1)
        let stranger = SweepPlan.Source(
            slot: SlotNumber(index: 1), address: sweep.sources[0].address, coins: sweep.sources[0].coins)
        let plan = try SweepPlan(resuming: sweep.psbt, [stranger], network: .test)
        let outcome = try await bench.command { _, driver in
            await SweepFlow(driver: driver, cvc: try CVC(FlowBench.cvc)).sign(plan)
        }
        #expect(outcome.interruption?.failedProof == .signingKey)
        #expect(outcome.added == 0)
    }

    @Test func coinsOfOthersAreNoSweep() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench.satscard(opened: 2, using: &generator)
        let sweep = try await Sweep(bench, slots: 2)
        #expect(SweepPlan.isSweep(sweep.psbt, of: sweep.sources, to: WalletBench.stranger))
        #expect(!SweepPlan.isSweep(sweep.psbt, of: [sweep.sources[0]], to: WalletBench.stranger))
        #expect(!SweepPlan.isSweep(sweep.psbt, of: sweep.sources, to: Script([0x51])))
        #expect(throws: CreationError.notSpendable) {
            try SweepPlan(resuming: sweep.psbt, [sweep.sources[0]], network: .test)
        }
    }
}
