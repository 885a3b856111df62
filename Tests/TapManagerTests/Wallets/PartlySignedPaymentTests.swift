import Bitcoin
import FlowSupport
import GRDB
import TestSupport
import Testing

@testable import TapManager

/// Payments that are signed here, and that others can complete and send whenever they like: whoever says that one got
/// lost is paid twice if nobody warns of it.
@Suite struct PartlySignedPaymentTests {
    private let bench: WalletBench
    private let store = MemoryStore()

    init() throws {
        bench = try WalletBench()
        for index in 0..<4 { try bench.source.pay(bench.script(0, UInt32(index)), 10_000, salt: UInt32(index + 1)) }
    }

    private func manager(_ person: any Interaction = NobodyToAsk()) -> CardManager {
        CardManager(store: store, chain: ChainServers(bench.source), interaction: person) { UnixTime(seconds: 7) }
    }

    private func order() throws -> WalletOrder {
        let payment = Payment(to: WalletBench.stranger, amount: try #require(Amount(satoshis: 5_000)))
        return WalletOrder(payments: [payment], fee: .rate(.relay))
    }

    @discardableResult
    private func keep(_ psbt: PSBT, _ time: UnixTime = 1, wallet: String? = "family") throws -> StoredTransaction {
        let stored = StoredTransaction(psbt: psbt, network: .regtest, wallet: wallet, created: 1, updated: time)
        return try store.updateTransaction(stored.id) { _ throws(StoreError) in stored }
    }

    /// A payment from a wallet of which two of these three must sign.
    private func shared() throws -> (psbt: PSBT, cosigners: [SampleWallet]) {
        let cosigners = try (11...13).map { try SampleWallet(seed: $0) }
        return (try SampleMultisig(.p2wsh, cosigners).psbt(), cosigners)
    }

    /// Another payment to the same payee, with other coins.
    private func other(_ coins: [Outpoint]? = nil) throws -> PSBT {
        let coins = try coins ?? [bench.source.pay(bench.script(0, 5), 20_000, salt: 50)]
        return try bench.signedPSBT(
            spending: coins, [WalletBench.output(7_000), WalletBench.output(12_800, try bench.script(1, 3))])
    }

    private func repeated(_ psbt: PSBT) -> [Finding] {
        manager().review(of: psbt, network: .regtest).findings.filter { $0.code == .addressAlreadyPaid }
    }

    /// When one is built, signed, reviewed and sent.
    @Test func whatACosignerCanCompleteIsWarnedOf() async throws {
        let (psbt, cosigners) = try shared()
        try store.add(bench.opened.stored)
        try keep(psbt)
        let other = try other()
        let chain = try await bench.chain()
        #expect(try manager().repetitions(in: order(), from: bench.wallet, chain).isEmpty && repeated(other).isEmpty)

        let signed = try cosigners[0].signed(psbt)
        try keep(signed)
        let found = try manager().repetitions(in: order(), from: bench.wallet, chain)
        #expect(found.map(\.severity) == [.warning])
        #expect(found.first?.message.contains("\(psbt.unsignedTransaction.id), which is signed in part: ") == true)
        #expect(repeated(other) == found)
        let person = ScriptedInteraction(isAgreed: false)
        await #expect(throws: ScriptedInteraction.Declined.self) {
            try await manager(person).prepare(order(), from: bench.opened)
        }
        #expect(person.words == ["payAgain"])
        let imported = try manager().importTransaction(other, network: .regtest).transaction
        await #expect(throws: NobodyToAsk.Absence.self) { try await manager().send(imported, network: .regtest) }
        #expect(bench.source.sent.isEmpty)

        // Its own second signature, and what cannot be paid in addition, is no second payment.
        #expect(store.deleteTransaction(imported.id))
        #expect(try repeated(signed).isEmpty && repeated(cosigners[1].signed(signed)).isEmpty)
        #expect(try repeated(StoreSample.variant(9, of: psbt)).isEmpty)
        // Completed by the cosigner, who has a copy, it can be sent just as well.
        let whole = try cosigners[1].signed(signed)
        try keep(whole)
        let still = repeated(other)
        #expect(still.map(\.severity) == [.warning])
        #expect(still.first?.message.contains(", which is signed, and others may have it: ") == true)
        // What this store's signers have signed alone, nobody else can send, as far as is known.
        try store.addMadeHere(signed, by: bench.keys, at: 1)
        #expect(repeated(other) == still)
        try store.addMadeHere(whole, by: bench.keys, at: 1)
        #expect(repeated(other).map(\.severity) == [.notice])
        try keep(SigningResult(whole, added: 0).psbt)
        #expect(repeated(other) == still)
    }

    /// A damaged draft keeps nothing from being built and sent; what may be on its way does.
    @Test(arguments: [false, true]) func aDamagedDraftBlocksNothing(_ isGiven: Bool) async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let damaged = try SQLiteStore.open(folder: folder.path("data"), clock: StoreBench.clock)
        let draft = try damaged.merge(shared().psbt, network: .regtest, at: 8).transaction
        if isGiven { try damaged.noteSeen([draft.id], at: 8) }
        try damaged.write { try $0.execute(sql: "UPDATE psbt_content SET bytes = x'00'") }
        #expect(throws: StoreError.self) { try damaged.transaction(draft.id) }
        let manager = CardManager(store: damaged, chain: ChainServers(bench.source)) { UnixTime(seconds: 7) }
        let next = try manager.importTransaction(other(), network: .regtest).transaction
        let chain = try await bench.chain()
        func found() throws -> [Finding] {
            try manager.repetitions(in: order(), from: bench.wallet, chain)
                + manager.repetitions(since: manager.review(of: next, network: .regtest))
        }
        if isGiven {
            #expect(throws: StoreError.self) { try found() }
        } else {
            #expect(try found().allSatisfy { $0.severity == .notice })
        }
    }

    /// Before a card signs, too. What it signs itself is never among that, whoever adds the rest.
    @Test func aCardSignsNothingUnwarned() async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let (psbt, cosigners) = try shared()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try card.manager(person)
        _ = try manager.importTransaction(cosigners[0].signed(psbt), network: .test)
        let own = try SampleMultisig(.p2wsh, [card.wallet(), cosigners[1], cosigners[2]]).psbt()
        for added in [1, 0] {
            let report = try await manager.sign(own)
            #expect(report.result.added == added)
            let found = report.findings.filter { $0.code == .addressAlreadyPaid }
            #expect(found.map(\.severity) == [.notice])
            #expect(found.first?.message.contains("\(psbt.unsignedTransaction.id), which is signed in part") == true)
            _ = try manager.importTransaction(cosigners[1].signed(own), network: .test)
        }
        guard case .question(let asked)? = person.entries.first else { throw ScriptedInteraction.Declined() }
        #expect(asked.findings.contains { $0.code == .addressAlreadyPaid })
    }

    /// Of no stored wallet, it is one of many that other programs complete and send: nothing stops them. Those that are
    /// signed alike make one notice.
    @Test func thoseOfNoWalletStopNothing() throws {
        let (psbt, cosigners) = try shared()
        try keep(cosigners[0].signed(psbt), wallet: nil)
        for index in 7...8 as ClosedRange<UInt32> {
            let coins = [try bench.source.pay(bench.script(0, index), 20_000, salt: index * 10)]
            try keep(bench.signedPSBT(spending: coins, [WalletBench.output(19_800)]), wallet: nil)
        }
        let found = repeated(try other())
        #expect(found.map(\.severity) == [.notice, .notice])
        #expect(found.count { $0.message.contains("and by 1 older transaction like it") } == 1)
    }

    /// What only the payee can add: a signature for a coin of the payee's, or what a script takes that is unknown here.
    @Test(arguments: [
        [UInt8]([0x00, 0x14]) + [UInt8](repeating: 8, count: 20), [0x00, 0x20] + [UInt8](repeating: 8, count: 32),
        [0x51, 0x20] + [UInt8](repeating: 8, count: 32),
    ]) func whatThePayeeCanCompleteIsWarnedOf(_ script: [UInt8]) throws {
        let coins = [
            try bench.source.pay(bench.script(0, 6), 20_000, salt: 60),
            try bench.source.pay(Script(script), 1_000, salt: 61),
        ]
        let psbt = try bench.signedPSBT(spending: coins, [WalletBench.output(19_800)])
        let stored = try keep(psbt)
        #expect(!stored.summary.isComplete && stored.summary.leftHere == nil)
        let found = repeated(try other())
        #expect(found.map(\.severity) == [.warning] && found[0].message.contains("\(stored.id)"))
        #expect(try repeated(other([coins[0]])).isEmpty)
    }

    /// Signatures count, and not what the PSBT says of whose they are.
    @Test func whoeverSignedCounts() throws {
        let (psbt, cosigners) = try shared()
        let signed = try cosigners[0].signed(psbt)
        var silent = try PSBT(unsignedTransaction: psbt.unsignedTransaction)
        silent[input: 0].witnessUTXO = psbt.inputs[0].witnessUTXO
        silent[input: 0].witnessScript = psbt.inputs[0].witnessScript
        #expect(!silent.isSigned)
        silent.addPartialSignatures(signed.inputs[0].partialSignatures, toInput: 0)
        #expect(silent.isSigned && SignatureTally(silent).signedBy.isEmpty)
        try keep(silent)
        #expect(repeated(try other()).map(\.severity) == [.warning])
    }

    /// Signed after the other one was built, when nobody could be asked about it.
    @Test(arguments: [UnixTime(seconds: 6), 8]) func whatIsSignedLaterIsWarnedOfBeforeSending(_ time: UnixTime) throws {
        let (psbt, cosigners) = try shared()
        let next = try manager().importTransaction(other(), network: .regtest).transaction
        try keep(psbt, time)
        #expect(try manager().repetitions(since: manager().review(of: next, network: .regtest)).isEmpty)
        try keep(cosigners[0].signed(psbt), time)
        let found = try manager().repetitions(since: manager().review(of: next, network: .regtest))
        #expect(found.map(\.severity) == (time == 8 ? [.warning] : []))
        // The cosigner's last signature changes nothing.
        try keep(cosigners[1].signed(cosigners[0].signed(psbt)), time)
        let whole = try manager().repetitions(since: manager().review(of: next, network: .regtest))
        #expect(whole.map(\.severity) == found.map(\.severity))
    }

    /// Where nobody can be asked, what is only told keeps nothing from being sent.
    @Test func aNoticeBlocksNothing() async throws {
        let (psbt, cosigners) = try shared()
        let coin = try bench.source.pay(bench.script(0, 7), 20_000, salt: 70)
        let next = try manager().importTransaction(
            bench.signedPSBT(spending: [coin], [WalletBench.output(19_800)]), network: .regtest
        ).transaction
        try keep(cosigners[0].signed(psbt), 8, wallet: nil)
        let shown = manager().review(of: next, network: .regtest)
        #expect(shown.findings.contains { $0.code == .addressAlreadyPaid && $0.severity == .notice })
        #expect(try manager().repetitions(since: shown).isEmpty)
        _ = try await manager().send(next, network: .regtest)
        #expect(bench.source.sent.count == 1)
    }

    /// Deleting it takes no signature back.
    @Test func theDeletionQuestionSaysSo() async throws {
        let (psbt, cosigners) = try shared()
        let part = try cosigners[0].signed(psbt)
        for (psbt, isSigned) in [(psbt, false), (part, true), (try cosigners[1].signed(part), true)] {
            let id = try keep(psbt).id
            for isGiven in [false, true] {
                if isGiven { store.noteSeen([id], at: 2) }
                let person = ScriptedInteraction(isAgreed: false)
                await #expect(throws: ScriptedInteraction.Declined.self) { try await manager(person).delete(id) }
                guard case .otherQuestion(.deleteTransaction(let asked))? = person.entries.first else {
                    throw ScriptedInteraction.Declined()
                }
                #expect(asked.isSigned == isSigned && asked.isUnderWay == isGiven)
                #expect(asked.canBeSentByOthers == (isSigned && !isGiven))
            }
        }
    }
}
