import Bitcoin
import ExplainedErrors
import FlowSupport
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// Payments that belong to no wallet, so that no synchronization tells of them: the server is asked what became of them
/// before the user is asked whether to pay their payees again.
@Suite struct FollowedPaymentTests {
    /// What the server makes of the first payment.
    enum Fate: CaseIterable, Sendable {
        case waiting, shallow, deep, impossible

        /// The height of its block, on a chain of 200.
        var height: Int? {
            switch self {
            case .waiting: nil
            case .shallow: 199
            case .deep: 195
            case .impossible: 203
            }
        }
    }

    private let bench: WalletBench
    /// Its keys are in no stored wallet.
    private let stranger: WalletBench
    private let store = MemoryStore()

    init() throws {
        bench = try WalletBench()
        stranger = try WalletBench(seed: 2, over: bench.source)
        try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
    }

    private func manager(_ person: any Interaction = NobodyToAsk()) -> CardManager {
        CardManager(store: store, chain: ChainServers(bench.source), interaction: person) { UnixTime(seconds: 7) }
    }

    /// A signed PSBT of the keys that are in no wallet.
    private func psbt(_ index: UInt32, paying script: Script = WalletBench.stranger) throws -> PSBT {
        let coin = try bench.source.pay(stranger.script(0, index), 20_000, salt: 50 + index)
        return try stranger.signedPSBT(spending: [coin], [WalletBench.output(19_800, script)])
    }

    /// Stores a payment and puts it into the chain.
    private func paid(
        _ psbt: PSBT, _ height: Int?, sent: UnixTime? = UnixTime(seconds: 4)
    ) throws -> TransactionID {
        let stored = StoredTransaction(
            psbt: psbt, network: .regtest, created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1), sent: sent)
        _ = try store.updateTransaction(stored.id) { _ throws(StoreError) in stored }
        bench.source.add(try #require(SigningResult(psbt, added: 0).transaction), height: height)
        return stored.id
    }

    /// Orders a payment from a wallet.
    /// - Returns: what the user was asked and told.
    private func prepare() async throws -> ScriptedInteraction {
        try store.add(bench.opened.stored)
        return try await ordered().person
    }

    private func ordered() async throws -> (stored: StoredTransaction, person: ScriptedInteraction) {
        let person = ScriptedInteraction(isAgreed: true)
        let payment = Payment(to: WalletBench.stranger, amount: try #require(Amount(satoshis: 5_000)))
        let order = WalletOrder(payments: [payment], fee: .rate(.relay))
        return (try await manager(person).prepare(order, from: bench.opened), person)
    }

    /// Settled, it is no question any more, as for a payment of a wallet's; but the user learns how deep it is.
    @Test(arguments: Fate.allCases) func theServerIsAskedBeforeOneIsBuilt(_ fate: Fate) async throws {
        let id = try paid(psbt(0), fate.height)
        let person = try await prepare()
        #expect(person.words == [fate == .deep ? "findings" : "payAgain"] && bench.source.calls("heights") == 1)
        let confirmations = store.transaction(id)?.summary.confirmations
        #expect(confirmations == (fate == .deep ? 6 : fate == .shallow ? 2 : 0))
        let found: [Finding] =
            switch person.entries.first {
            case .otherQuestion(.payAgain(let found)), .notice(.findings(let found)): found
            default: []
            }
        #expect(found.map(\.severity) == [fate == .deep ? .notice : .warning])
        #expect(found.first?.message.contains("has 2 confirmations so far") == (fate == .shallow))
        #expect(found.first?.message.contains("has 6 confirmations so far") == (fate == .deep))
    }

    /// A server that conceals a wallet's payment until somebody pays again can call it settled just then: that is told.
    /// What was settled before is not.
    @Test func whatIsSettledJustNowIsTold() async throws {
        for index in 1..<UInt32(6) { try bench.source.pay(bench.script(0, index), 10_000, salt: index + 1) }
        try store.add(bench.opened.stored)
        let first = try await ordered().stored
        let signed = try bench.keys.signed(first.psbt)
        _ = try store.updateTransaction(first.id) { present throws(StoreError) in
            var sent = present ?? first
            (sent.psbt, sent.sent) = (signed, UnixTime(seconds: 7))
            return sent
        }
        try bench.source.pay(bench.script(0, 7), 90_000, salt: 70)
        #expect(try await ordered().person.words == ["payAgain"])
        try bench.source.pay(bench.script(0, 8), 90_000, salt: 80)
        bench.source.add(try bench.signed(first), height: 190)
        let told = try await ordered().person
        try bench.source.pay(bench.script(0, 9), 90_000, salt: 90)
        #expect(told.words == ["findings"])
        guard case .notice(.findings(let found))? = told.entries.first else { throw ScriptedInteraction.Declined() }
        #expect(found.map(\.severity) == [.notice])
        #expect(found.first?.message.contains("\(first.id), which has 11 confirmations so far") == true)
        #expect(try await ordered().person.words.isEmpty)
    }

    /// Nobody else's payments, and none that a server was not given.
    @Test func noOtherPaymentIsNamedToTheServer() async throws {
        let other = Script([0x00, 0x14] + [UInt8](repeating: 3, count: 20))
        let ids = [try paid(psbt(0, paying: other), 195), try paid(psbt(1), 195, sent: nil)]
        #expect(try await prepare().words == ["findings"])
        #expect(bench.source.calls("heights") == 0 && ids.allSatisfy { store.transaction($0)?.standing == nil })
    }

    /// However many there are, one order asks about a few, all at once; the next one about others.
    @Test func aFewAreAskedAboutAtOnce() async throws {
        let ids = try (0..<UInt32(12)).map { try paid(psbt($0), 195) }
        let person = try await prepare()
        #expect(person.words == ["payAgain"] && bench.source.calls("heights") == 1)
        // What is asked about is not hidden behind what is only told.
        guard case .otherQuestion(.payAgain(let found))? = person.entries.first else { return }
        #expect(found.map(\.severity) == [.warning, .warning] + [Finding.Severity](repeating: .notice, count: 10))
        #expect(ids.prefix(2).allSatisfy { store.transaction($0)?.standing == nil })
        #expect(ids.dropFirst(2).allSatisfy { store.transaction($0)?.standing?.isSettled == true })
    }

    /// Where nobody can be asked, what is settled does not keep the next payment from being sent.
    @Test(arguments: Fate.allCases) func theServerIsAskedBeforeOneIsSent(_ fate: Fate) async throws {
        _ = try paid(psbt(0), fate.height)
        let next = try manager().importTransaction(psbt(1), network: .regtest).transaction
        #expect(next.wallet == nil)
        if fate == .deep {
            _ = try await manager().send(next, network: .regtest)
            #expect(bench.source.sent.count == 1)
        } else {
            let error = await #expect(throws: (any Error).self) {
                try await manager().send(next, network: .regtest)
            }
            #expect((error as? any ExplainedError)?.code == .confirmationNeeded && bench.source.sent.isEmpty)
        }
    }

    /// Whoever can be asked is shown what the server has just called settled.
    @Test func whatIsSettledJustNowIsShownBeforeOneIsSent() async throws {
        let id = try paid(psbt(0), Fate.deep.height)
        let person = ScriptedInteraction(isAgreed: true)
        let next = try manager().importTransaction(psbt(1), network: .regtest).transaction
        _ = try await manager(person).send(next, network: .regtest)
        guard case .otherQuestion(.send(let shown, _))? = person.entries.first else {
            throw ScriptedInteraction.Declined()
        }
        let found = shown.findings.filter { $0.code == .addressAlreadyPaid }
        #expect(found.map(\.severity) == [.notice] && shown.unacceptedFindings.isEmpty)
        #expect(found.first?.message.contains("\(id), which has 6 confirmations so far") == true)
    }

    /// Nobody waits for a server with a card on the reader.
    @Test func noServerIsAskedWhenACardSigns() async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let other = try SampleWallet(seed: 8)
        _ = try paid(other.signed(other.psbt()), Fate.deep.height)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = CardManager(
            store: store, readers: [SimulatedBackend([card.reader])], chain: ChainServers(bench.source),
            interaction: person, acceptedRoots: [try SimulatedFactory.standard.rootKey]
        ) { UnixTime(seconds: 7) }
        let report = try await manager.sign(card.wallet().psbt())
        #expect(report.result.transaction != nil && bench.source.calls("heights") == 0)
        guard case .question(let asked)? = person.entries.first else { throw ScriptedInteraction.Declined() }
        for findings in [asked.findings, report.findings] {
            let found = findings.filter { $0.code == .addressAlreadyPaid }
            #expect(found.map(\.severity) == [.warning])
        }
        // The card signed for this store: who said yes is not asked again.
        let signed = try #require(store.transaction(report.plan.psbt.unsignedTransaction.id))
        _ = try await self.manager().send(signed, network: .regtest)
        #expect(bench.source.sent == [signed.id])
    }
}
