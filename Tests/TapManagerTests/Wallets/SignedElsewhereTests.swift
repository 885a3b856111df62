import Bitcoin
import ExplainedErrors
import FlowSupport
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// A transaction that a card of this store signed for another one, such as that of a machine that is never online. What
/// this store knows of other payments was shown to nobody then.
@Suite struct SignedElsewhereTests {
    private let bench: WalletBench
    private let store = MemoryStore()

    init() throws { bench = try WalletBench() }

    private func manager(_ person: any Interaction = NobodyToAsk()) -> CardManager {
        CardManager(store: store, chain: ChainServers(bench.source), interaction: person) { UnixTime(seconds: 7) }
    }

    private func psbt(_ index: UInt32, _ amount: Int64 = 19_800) throws -> PSBT {
        let coin = try bench.source.pay(bench.script(0, index), 20_000, salt: 50 + index)
        return try bench.signedPSBT(spending: [coin], [WalletBench.output(amount)])
    }

    /// Remembers a card that has proven the keys.
    private func rememberCard() throws {
        var generator = SeededGenerator()
        let key = try FlowBench(using: &generator).record.cardKey
        store.save(
            CardRecord(
                publicKey: key, product: .tapsigner, isTestnet: true, fingerprint: bench.keys.fingerprint, lastSeen: 1))
        let path = try bench.keys.accountPath(.p2wpkh)
        store.save(ProvenAccount(cardKey: key, path: path, key: try bench.keys.extendedKey(path), proven: 1))
    }

    /// An earlier payment to the same payee.
    private func pay(sent: UnixTime?) throws {
        let stored = StoredTransaction(psbt: try psbt(0), network: .regtest, created: 1, updated: 1, sent: sent)
        _ = try store.updateTransaction(stored.id) { _ throws(StoreError) in stored }
    }

    @Test func itIsNotSentUnaskedIfItsPayeeIsPaidAlready() async throws {
        try rememberCard()
        try pay(sent: 4)
        let psbt = try psbt(1)
        let imported = try manager().importTransaction(psbt, network: .regtest).transaction
        #expect(try store.isSignedByRememberedCard(imported.psbt))
        await #expect(throws: NobodyToAsk.Absence.confirmation) {
            try await manager().send(imported, network: .regtest)
        }
        let unwilling = ScriptedInteraction(isAgreed: false)
        await #expect(throws: ScriptedInteraction.Declined.self) {
            try await manager(unwilling).send(imported, network: .regtest)
        }
        guard case .otherQuestion(.send(let shown, _))? = unwilling.entries.first else {
            throw ScriptedInteraction.Declined()
        }
        #expect(shown.unacceptedFindings.map(\.code) == [.addressAlreadyPaid] && bench.source.sent.isEmpty)

        // A signature that came with a PSBT is not made for this store by storing it once more.
        let signature = StoredSignature(
            inputIndex: 0, signature: try #require(psbt.inputs[0].partialSignatures.first),
            signer: bench.keys.fingerprint)
        try store.add(signature, to: imported.id, at: 6)
        _ = store.deleteTransaction(imported.id)
        let again = try manager().importTransaction(psbt, network: .regtest).transaction
        await #expect(throws: NobodyToAsk.Absence.confirmation) {
            try await manager().send(again, network: .regtest)
        }
        // One that the card made for this store was confirmed with what this store knows.
        try store.add(signature, to: again.id, at: 6)
        _ = try await manager().send(again, network: .regtest)
        #expect(bench.source.sent == [again.id])
    }

    /// Nothing else that was shown then is asked about, and nothing if nobody is paid twice.
    @Test func itIsSentUnaskedOtherwise() async throws {
        try rememberCard()
        try pay(sent: nil)
        // Half of it is fee.
        let imported = try manager().importTransaction(psbt(1, 10_000), network: .regtest).transaction
        #expect(manager().review(of: imported, network: .regtest).findings.contains { $0.code == .feeHigh })
        _ = try await manager().send(imported, network: .regtest)
        #expect(bench.source.sent == [imported.id])
    }
}
