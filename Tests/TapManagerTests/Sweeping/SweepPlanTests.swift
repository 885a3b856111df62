import Bitcoin
import ChainData
import FlowSupport
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// Which transactions are sweeps, whoever made them: new and resumed ones pass the same checks.
@Suite struct SweepPlanTests {
    private let wallet: SampleWallet
    private let source: SweepPlan.Source
    private let destination: Address

    init() async throws {
        wallet = try SampleWallet(seed: 4)
        let key = try wallet.publicKey(DerivationPath(parsing: "m/0"))
        let address = try #require(Address(scriptPubKey: .p2wpkh(key), network: .test))
        let chain = FakeChain()
        try chain.pay(address.scriptPubKey, 100_000, salt: 1)
        let coins = try await chain.coins(of: [address.scriptPubKey])[0]
        source = SweepPlan.Source(slot: SlotNumber(index: 0), address: address, coins: coins)
        destination = try #require(Address(scriptPubKey: WalletBench.stranger, network: .test))
    }

    private func sweep() throws -> PSBT {
        var generator = SeededGenerator(for: "sweep plan")
        return try SweepPlan([source], to: destination, feeRate: .relay, tip: 100, using: &generator).psbt
    }

    /// The sweep with other outputs.
    private func sweep(_ outputs: [TransactionOutput]) throws -> PSBT {
        let own = try sweep()
        var psbt = try PSBT(
            unsignedTransaction: Transaction(inputs: own.unsignedTransaction.inputs, outputs: outputs))
        psbt.setInputs(own.inputs)
        return psbt
    }

    private func resume(_ psbt: PSBT) throws(CreationError) -> SweepPlan {
        try SweepPlan(resuming: psbt, [source], network: .test)
    }

    private func output(_ satoshis: Int64, _ script: Script? = nil) -> TransactionOutput {
        TransactionOutput(value: satoshis, scriptPubKey: script ?? destination.scriptPubKey)
    }

    @Test func anHonestOneIsGoneOnWith() throws {
        #expect(try resume(sweep()).items.count == 1)
        #expect(SweepPlan.isSweep(try sweep(), of: [source], to: destination.scriptPubKey))
    }

    /// Who planned it, or looked at the chain again, need not be told of a lock that has passed.
    @Test func thePlanKnowsWhetherItsLockHasPassed() throws {
        let psbt = try sweep()
        let lock = Int(psbt.unsignedTransaction.lockTime)
        let isOpen = { (tip: Int?) in
            try SweepPlan(resuming: psbt, [source], network: .test, tip: tip).review
                .isLockOpen(at: UnixTime(seconds: 0))
        }
        #expect(lock > 0)
        #expect(try isOpen(lock) && !isOpen(lock - 1) && !isOpen(nil))
    }

    @Test(arguments: [49_999, 546, 1] as [Int64])
    func aFeeAboveWhatArrivesIsRefused(_ paid: Int64) throws {
        let psbt = try sweep([output(paid)])
        do throws(CreationError) {
            _ = try resume(psbt)
            Issue.record("taken")
        } catch {
            guard case .feeAboveSent(let fee, let sent) = error else { throw error }
            #expect(fee.satoshis == 100_000 - paid && sent.satoshis == paid)
        }
    }

    @Test func moneyBackToTheSlotIsRefused() throws {
        #expect(throws: CreationError.opensDestination(source.address)) {
            try resume(sweep([output(99_000, source.address.scriptPubKey)]))
        }
    }

    @Test func severalOutputsOrNoneAreNoSweep() throws {
        for outputs in [[], [output(40_000), output(50_000)]] {
            let psbt = try sweep(outputs)
            #expect(!SweepPlan.isSweep(psbt, of: [source], to: destination.scriptPubKey))
            #expect(throws: CreationError.notSpendable) { try resume(psbt) }
        }
    }

    /// Two signatures over different claims of the same amounts are worth more than either says.
    @Test func amountsThatNothingProvesAreRefused() throws {
        var psbt = try sweep()
        psbt[input: 0].nonWitnessUTXO = nil
        psbt[input: 0].witnessUTXO = output(99_950, source.address.scriptPubKey)
        do throws(CreationError) {
            _ = try resume(psbt)
            Issue.record("taken")
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            #expect(refusal.findings.map(\.code) == [.amountNotProven])
        }
    }

    @Test func aSignatureThatDoesNotVerifyIsRefused() throws {
        var psbt = try sweep()
        let key = try wallet.publicKey(DerivationPath(parsing: "m/0"))
        let other = wallet.master.privateKey.signGrindingLowR(digest: Digest(hashing: [1]))
        psbt.addPartialSignature(PartialSignature(other, by: key), toInput: 0)
        do throws(CreationError) {
            _ = try resume(psbt)
            Issue.record("taken")
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            #expect(refusal.findings.map(\.code) == [.badPartialSignature])
        }
    }

    /// Only what was made here as a sweep is a stored sweep; another transaction of its coins is in its way.
    @Test(arguments: [false, true]) func anImportedTransactionIsInTheWay(_ isDraining: Bool) throws {
        let store = MemoryStore()
        let time = UnixTime(seconds: 1)
        let psbt = try sweep()
        if isDraining {
            try store.create(
                StoredTransaction(psbt: psbt, created: time, updated: time, drains: true), replacing: nil)
            #expect(
                try store.sweep(of: [source], to: destination.scriptPubKey)?.id == psbt.unsignedTransaction.id)
            #expect(throws: StoreError.self) { try store.sweep(of: [source], to: Script([0x51])) }
        } else {
            _ = try store.merge(psbt, note: "sweep", at: time)
            #expect(throws: StoreError.coinsTaken([source.coins[0].outpoint: psbt.unsignedTransaction.id])) {
                try store.sweep(of: [source], to: destination.scriptPubKey)
            }
        }
    }
}
