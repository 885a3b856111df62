import Bitcoin
import ChainData
import TapManager
import TapProtocol
import TestSupport
import Testing

extension FlowBench {
    /// What takes everything out of the first two slots; the same for the same slots.
    package func sweepPlan() throws -> SweepPlan {
        var sources: [SweepPlan.Source] = []
        for (index, slot) in try slots().prefix(2).enumerated() {
            let address = try Address(parsing: try #require(slot.address), network: .test)
            let funding = try SampleWallet.funding(address.scriptPubKey, amount: 20_000, salt: UInt32(index))
            let claim = UnspentClaim(
                outpoint: Outpoint(transactionID: funding.id, index: 1), amount: try #require(Amount(satoshis: 20_000)),
                height: 100)
            let coin = try ChainCoin(proving: claim, script: address.scriptPubKey, by: funding)
            sources.append(SweepPlan.Source(slot: SlotNumber(index: index), address: address, coins: [coin]))
        }
        var generator = SeededGenerator(for: "sweep")
        let destination = try #require(
            Address(scriptPubKey: Script([0x00, 0x14] + [UInt8](repeating: 7, count: 20)), network: .test))
        return try SweepPlan(sources, to: destination, feeRate: .relay, tip: 200, using: &generator)
    }

    /// Stores a sweep and has the card sign it. A node must take what comes of it.
    package func sweep(_ plan: SweepPlan) async throws -> Transaction {
        try mortal.create(
            StoredTransaction(psbt: plan.psbt, created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1)),
            replacing: nil)
        let outcome = try await run { await SweepFlow(driver: $0, cvc: try CVC(Self.cvc)).sign(plan) }
        if let interruption = outcome.interruption { throw interruption }
        let transaction = try #require(SigningResult(outcome.psbt, added: outcome.added).transaction)
        try await NodeJury.expectTaken([transaction])
        return transaction
    }
}
