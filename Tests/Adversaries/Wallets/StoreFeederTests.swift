import Bitcoin
import ChainData
import TapManager
import TapProtocol
import TestSupport
import Testing

/// Somebody who has transactions imported, before and between what the owner of a SATSCARD does: none of them is gone on
/// with, and what is gone on with pays whom it paid when it was made.
@Suite struct StoreFeederTests {
    private static let rounds = MatrixShare.rounds(500)
    private let sources: [SweepPlan.Source]
    private let destination: Address
    private let thief = Script([0x00, 0x14] + [UInt8](repeating: 6, count: 20))

    init() throws {
        let wallet = try SampleWallet(seed: 8)
        sources = try (0..<3).map { slot in
            let key = try wallet.publicKey(DerivationPath(parsing: "m/\(slot)"))
            let address = try #require(Address(scriptPubKey: .p2wpkh(key), network: .regtest))
            let funding = try SampleWallet.funding(address.scriptPubKey, amount: 100_000, salt: UInt32(slot))
            let claim = UnspentClaim(
                outpoint: Outpoint(transactionID: funding.id, index: 1),
                amount: try #require(Amount(satoshis: 100_000)),
                height: 100)
            return SweepPlan.Source(
                slot: SlotNumber(index: slot), address: address,
                coins: [try ChainCoin(proving: claim, script: address.scriptPubKey, by: funding)])
        }
        destination = try #require(
            Address(scriptPubKey: Script([0x00, 0x14] + [UInt8](repeating: 7, count: 20)), network: .regtest))
    }

    @Test func nothingThatWasImportedIsGoneOnWith() throws {
        var generator = SeededGenerator()
        var (resumed, blocked) = (0, 0)
        for _ in 0..<Self.rounds {
            let store = MemoryStore()
            var own: [TransactionID: SweepPlan] = [:]
            for _ in 0..<6 {
                if Bool.random(using: &generator) { try feed(store, own, using: &generator) }
                let chosen = Array(sources.prefix(Int.random(in: 1...sources.count, using: &generator)))
                let found: StoredTransaction?
                do throws(StoreError) {
                    found = try store.sweep(of: chosen, to: destination.scriptPubKey)
                } catch {
                    guard case .coinsTaken = error else { throw error }
                    blocked += 1
                    continue
                }
                if let found {
                    resumed += 1
                    try expectOwn(found, own)
                } else {
                    let plan = try sweep(chosen, using: &generator)
                    try store.create(stored(plan.psbt), replacing: nil)
                    own[plan.psbt.unsignedTransaction.id] = plan
                }
            }
            // `tx sign` goes on with what is called a sweep.
            for summary in store.transactions(limit: 100, offset: 0) {
                guard let stored = store.transaction(summary.id), stored.isSweep else { continue }
                try expectOwn(stored, own)
            }
        }
        #expect(resumed > Self.rounds / 5 && blocked > Self.rounds / 5, "\(resumed) gone on with, \(blocked) blocked")
    }

    /// What was imported about a transaction of one's own adds no signature that is not one, and takes none away.
    @Test func importedSignaturesAreTrueOrLeftOut() throws {
        var generator = SeededGenerator()
        let owner = try SampleWallet(seed: 8)
        var kept = 0
        for _ in 0..<Self.rounds {
            let store = MemoryStore()
            let honest = try sweep(Array(sources.prefix(2)), using: &generator).psbt
            var signed = honest
            let index = Int.random(in: 0..<2, using: &generator)
            let slot = sources.firstIndex {
                $0.address.scriptPubKey == (try? honest.spentOutput(ofInput: index))?.scriptPubKey
            }
            let key = try owner.master.descendant(DerivationPath(parsing: "m/\(try #require(slot))")).privateKey
            let digests = SighashCache(honest.unsignedTransaction)
            let signature = try key.signGrindingLowR(
                digest: honest.spending(ofInput: index).digest(.all, using: digests))
            signed.addPartialSignature(PartialSignature(signature, by: key.publicKey), toInput: index)
            let isFirst = Bool.random(using: &generator)
            if isFirst { _ = try store.merge(signed, at: UnixTime(seconds: 1)) }
            var forged = honest
            let bytes = generator.damaged(signature.der + [1])
            forged.addPartialSignature(
                PartialSignature(publicKey: key.publicKey.bytes, signature: bytes),
                toInput: Int.random(in: 0..<2, using: &generator))
            _ = try? store.merge(forged, at: UnixTime(seconds: 2))
            let taken = try store.addingSignatures(to: honest)
            for input in taken.inputs.indices { try taken.verifyPartialSignatures(ofInput: input, using: digests) }
            let again = try store.addingSignatures(to: signed)
            #expect(again.hasSignatures(of: signed))
            kept += taken.inputs.count { !$0.partialSignatures.isEmpty }
        }
        #expect(kept > Self.rounds / 13, "\(kept) kept")
    }

    /// A stored sweep that can be signed is one that was made here, and says what it said then.
    private func expectOwn(_ stored: StoredTransaction, _ own: [TransactionID: SweepPlan]) throws {
        let made = try #require(own[stored.id], "a transaction that was imported is called a sweep")
        let plan: SweepPlan
        do throws(CreationError) {
            plan = try SweepPlan(resuming: stored.psbt, sources, network: .regtest)
        } catch {
            // What somebody added to it can keep it from being signed, and no more.
            guard case .refused = error else { throw error }
            return
        }
        #expect(plan.psbt.unsignedTransaction == made.psbt.unsignedTransaction)
        #expect(plan.review.fee.fee == made.review.fee.fee)
        #expect(plan.review.inputs.allSatisfy { $0.isProven })
    }

    private func sweep(
        _ chosen: [SweepPlan.Source], using generator: inout SeededGenerator
    ) throws(CreationError) -> SweepPlan {
        try SweepPlan(chosen, to: destination, feeRate: .relay, tip: 200, using: &generator)
    }

    private func stored(_ psbt: PSBT) -> StoredTransaction {
        StoredTransaction(
            psbt: psbt, network: .regtest, note: "sweep", created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1),
            drains: true)
    }

    /// Imports a transaction of the same coins, or more about one that is there.
    private func feed(
        _ store: MemoryStore, _ own: [TransactionID: SweepPlan], using generator: inout SeededGenerator
    ) throws {
        var psbt: PSBT
        if let plan = own.values.randomElement(using: &generator), Bool.random(using: &generator) {
            psbt = plan.psbt
        } else {
            let coins = sources.flatMap(\.coins).shuffled(using: &generator)
                .prefix(Int.random(in: 1...sources.count, using: &generator))
            let paid = Int64.random(in: 0...(100_000 * Int64(coins.count)), using: &generator)
            let script = Bool.random(using: &generator) ? destination.scriptPubKey : thief
            let outputs = Bool.random(using: &generator) ? [TransactionOutput(value: paid, scriptPubKey: script)] : []
            psbt = try PSBT(
                unsignedTransaction: Transaction(
                    inputs: coins.map { TransactionInput(outpoint: $0.outpoint) }, outputs: outputs))
            for (index, coin) in coins.enumerated() {
                psbt[input: index].nonWitnessUTXO = try PreviousTransaction(coin.transaction)
                psbt[input: index].witnessUTXO = coin.output
            }
        }
        let index = Int.random(in: psbt.inputs.indices, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: psbt[input: index].nonWitnessUTXO = nil
        case 1:
            psbt[input: index].nonWitnessUTXO = nil
            if let coin = psbt.inputs[index].witnessUTXO {
                psbt[input: index].witnessUTXO = TransactionOutput(
                    value: coin.value - 500, scriptPubKey: coin.scriptPubKey)
            }
        case 2:
            let signer = try SampleWallet(seed: 99)
            let signature = signer.master.privateKey.signGrindingLowR(digest: Digest(hashing: generator.bytes(32...32)))
            psbt.addPartialSignature(
                PartialSignature(signature, by: try signer.publicKey(DerivationPath(parsing: "m/0"))),
                toInput: index)
        default: break
        }
        // What contradicts the stored one is refused.
        _ = try? store.merge(psbt, note: "sweep", at: UnixTime(seconds: 2))
    }
}
