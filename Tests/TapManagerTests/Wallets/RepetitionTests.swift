import Bitcoin
import ChainData
import ExplainedErrors
import FlowSupport
import TapManager
import TestSupport
import Testing

/// Payments to somebody to whom one is on its way already.
@Suite struct RepetitionTests {
    private let bench: WalletBench
    private let manager = CardManager(store: MemoryStore()) { UnixTime(seconds: 5) }

    init() throws {
        bench = try WalletBench()
        for index in 0..<4 { try bench.source.pay(bench.script(0, UInt32(index)), 10_000, salt: UInt32(index + 1)) }
    }

    private func order(_ script: Script = WalletBench.stranger, _ amount: Int64 = 5_000) throws -> WalletOrder {
        WalletOrder(
            payments: [Payment(to: script, amount: try #require(Amount(satoshis: amount)))], fee: .rate(.relay))
    }

    private func make(_ order: WalletOrder) async throws -> StoredTransaction {
        var generator = SeededGenerator()
        return try manager.create(order, at: .relay, from: bench.wallet, try await bench.chain(), using: &generator)
    }

    private func update(_ stored: StoredTransaction, _ change: (inout StoredTransaction) throws -> Void) throws {
        var changed = stored
        try change(&changed)
        _ = try manager.store.updateTransaction(stored.id) { _ in changed }
    }

    /// Signs it as a card does for this store.
    private func sign(_ stored: StoredTransaction) throws {
        try manager.store.addMadeHere(bench.keys.signed(stored.psbt), by: bench.keys, at: 5)
    }

    private func findings(_ order: WalletOrder) async throws -> [Finding] {
        try manager.repetitions(in: order, from: bench.wallet, try await bench.chain())
    }

    /// The server keeps quiet about what was sent.
    @Test func whatWasSentIsAskedAbout() async throws {
        let stored = try await make(order())
        #expect(try await findings(order()).isEmpty)
        try update(stored) { $0.sent = UnixTime(seconds: 6) }
        let found = try await findings(order(WalletBench.stranger, 7_000))
        #expect(found.map(\.code) == [.addressAlreadyPaid])
        #expect(found.first?.message.contains("\(stored.id)") == true)
        #expect(found.first?.message.contains("already paid 5000 sat") == true)
        #expect(found.first?.severity == .warning && FindingCode.addressAlreadyPaid.needsAcceptance)
        // Others may be paid, and the same one by everything.
        #expect(try await findings(order(Script([0x00, 0x14] + [UInt8](repeating: 3, count: 20)))).isEmpty)
        let drain = WalletOrder(payments: [], drain: WalletBench.stranger, fee: .rate(.relay))
        #expect(try await findings(drain).count == 1)
        #expect(try manager.store.deleteTransaction(stored.id))
        #expect(try await findings(order()).isEmpty)
    }

    /// What is signed can be sent by anybody who has seen it; whoever has not sent it knows that.
    @Test func whatIsSignedIsMentioned() async throws {
        let stored = try await make(order())
        try sign(stored)
        #expect(try await findings(order()).map(\.severity) == [.notice])
    }

    /// Programs that have this store sign and send for themselves never say that they did: what they had signed for a
    /// payee is one line, however often they did. What was sent does not hide in it.
    @Test func ofWhatIsOnlySignedTheNewestIsMentioned() async throws {
        let other = Script([0x00, 0x14] + [UInt8](repeating: 3, count: 20))
        let drafts = [
            try await make(order()), try await make(order()), try await make(order()), try await make(order(other)),
        ]
        for draft in drafts { try sign(draft) }
        var both = try order()
        both.payments += try order(other).payments
        let found = try await findings(both)
        #expect(found.map(\.severity) == [.notice, .notice])
        #expect(found.first?.message.hasSuffix("\(drafts[3].id), which is signed and could be sent.") == true)
        let newest = "\(drafts[2].id), which is signed and could be sent, and by 2 older transactions like it."
        #expect(found.last?.message.hasSuffix(newest) == true)
        let coin = try bench.source.pay(bench.script(0, 5), 20_000, salt: 50)
        let psbt = try bench.signedPSBT(spending: [coin], [WalletBench.output(19_800)])
        #expect(repeated(psbt).map(\.message) == found.suffix(1).map(\.message))

        try update(drafts[1]) {
            $0.psbt = try bench.keys.signed($0.psbt)
            $0.sent = UnixTime(seconds: 6)
        }
        let asked = repeated(psbt)
        #expect(asked.map(\.severity) == [.notice, .warning])
        #expect(asked.first?.message.hasSuffix(", and by 1 older transaction like it.") == true)
        #expect(asked.last?.message.contains("\(drafts[1].id)") == true)
    }

    /// That somebody accepted the same when a draft was built is not taken from the store: whoever can write it could
    /// have accepted it, too.
    @Test func whoSignsADraftIsAskedAgain() async throws {
        let first = try await make(order())
        try update(first) {
            $0.psbt = try bench.keys.signed($0.psbt)
            $0.sent = UnixTime(seconds: 4)
        }
        try manager.store.add(bench.opened.stored)
        let person = ScriptedInteraction(isAgreed: true)
        let asking = CardManager(store: manager.store, chain: ChainServers(bench.source), interaction: person) {
            UnixTime(seconds: 7)
        }
        let draft = try await asking.prepare(order(), from: bench.opened)
        #expect(person.words == ["payAgain"])
        let found = manager.review(of: draft, network: .regtest).findings.filter { $0.code == .addressAlreadyPaid }
        #expect(found.map(\.severity) == [.warning] && found.allSatisfy(repeated(draft.psbt).contains))
        // Whoever is asked twice can know why.
        #expect(FindingCode.addressAlreadyPaid.meaning.contains("again when it is signed"))
    }

    /// A server can take a transaction, answer that it does not, and pass it on.
    @Test(arguments: [
        ChainError.rejected(reason: ServerText("min relay fee not met")), .unreachable(.timedOut, detail: ""),
    ])
    func whatAServerWasGivenIsAskedAbout(_ answer: ChainError) async throws {
        let stored = try await make(order())
        try update(stored) { $0.psbt = try bench.keys.signed($0.psbt) }
        bench.source.reject(answer)
        let sender = CardManager(store: manager.store, chain: ChainServers(bench.source)) { UnixTime(seconds: 6) }
        let error = await #expect(throws: SendingError.self) {
            try await sender.send(try #require(try manager.store.transaction(stored.id)), network: .regtest)
        }
        #expect(error == .chain(answer))
        let kept = try #require(try manager.store.transaction(stored.id))
        #expect(kept.sent == nil && kept.offered == UnixTime(seconds: 6) && kept.summary.state == .complete)
        let found = try await findings(order())
        #expect(found.map(\.severity) == [.warning] && found[0].message.contains("it may be on its way"))
    }

    /// Nor does raising its fee make a server forget it: it stays, and is asked about while the replacement is not signed.
    @Test func whatAServerWasGivenStaysWhenItsFeeIsRaised() async throws {
        let stored = try await make(order())
        try update(stored) { $0.psbt = try bench.keys.signed($0.psbt) }
        bench.source.reject(.rejected(reason: ServerText("min relay fee not met")))
        let sender = CardManager(store: manager.store, chain: ChainServers(bench.source)) { UnixTime(seconds: 6) }
        let signed = try #require(try manager.store.transaction(stored.id))
        await #expect(throws: SendingError.self) { try await sender.send(signed, network: .regtest) }
        let given = try #require(try manager.store.transaction(stored.id))
        var generator = SeededGenerator()
        let new = try manager.bump(
            given, to: FeeRate(parsing: "5"), from: bench.opened, try await bench.chain(), using: &generator)
        let (kept, other) = (try manager.store.transaction(stored.id), try manager.store.transaction(new.id))
        #expect(kept?.offered == UnixTime(seconds: 6) && kept?.sent == nil && other?.summary.state == .unsigned)
        let found = try await findings(order())
        #expect(found.map(\.severity) == [.warning] && found[0].message.contains("\(stored.id)"))
    }

    /// A signed PSBT of the wallet's that another program built; it pays somebody else besides.
    private func elsewhere(_ coins: [Outpoint], paying script: Script = WalletBench.stranger) throws -> PSBT {
        try bench.signedPSBT(
            spending: coins, [WalletBench.output(7_000, script), WalletBench.output(12_800, try bench.script(1, 3))])
    }

    private func repeated(_ psbt: PSBT) -> [Finding] {
        manager.review(of: psbt, network: .regtest).findings.filter { $0.code == .addressAlreadyPaid }
    }

    /// What another program built says the same as an order, whether it is stored or not: nobody was asked when it was
    /// built.
    @Test func whatComesFromElsewhereIsLookedAtAsWell() async throws {
        let first = try await make(order())
        let psbt = try elsewhere([bench.source.pay(bench.script(0, 5), 20_000, salt: 50)])
        #expect(repeated(psbt).isEmpty)
        try sign(first)
        #expect(repeated(psbt).map(\.severity) == [.notice])
        #expect(repeated(psbt) == (try await findings(order())))
        try update(first) {
            $0.psbt = try bench.keys.signed($0.psbt)
            $0.sent = UnixTime(seconds: 4)
        }
        let found = repeated(psbt)
        #expect(found.map(\.severity) == [.warning] && found[0].message.contains("\(first.id)"))
        #expect(found == (try await findings(order())))
        let imported = try manager.importTransaction(psbt, network: .regtest).transaction
        #expect(manager.review(of: imported, network: .regtest).findings.filter(found.contains) == found)
        // What was sent itself asks nothing any more.
        #expect(repeated(first.psbt).isEmpty)
    }

    /// What two transactions can have in common so that nobody is paid twice by mistake.
    enum Harmlessness: CaseIterable, Sendable {
        case sharedCoin, otherPayee, otherIsSweep, otherIsSettled, ownIsSweep, ownIsSent
    }

    @Test(arguments: [nil] + Harmlessness.allCases.map(Optional.some))
    func whatPaysNobodyTwiceIsNotFound(_ reason: Harmlessness?) async throws {
        let first = try await make(order())
        try update(first) {
            $0.psbt = try bench.keys.signed($0.psbt)
            $0.sent = UnixTime(seconds: 4)
            if reason == .otherIsSweep { ($0.drains, $0.wallet) = (true, nil) }
            if reason == .otherIsSettled { $0.standing = ChainStanding(height: 100, tip: 300) }
        }
        var coins = [try bench.source.pay(bench.script(0, 5), 20_000, salt: 50)]
        if reason == .sharedCoin { coins += first.psbt.unsignedTransaction.inputs.map(\.outpoint) }
        let other = Script([0x00, 0x14] + [UInt8](repeating: 3, count: 20))
        let psbt = try elsewhere(coins, paying: reason == .otherPayee ? other : WalletBench.stranger)
        let stored = StoredTransaction(
            psbt: psbt, network: .regtest, created: UnixTime(seconds: 5), updated: UnixTime(seconds: 5),
            sent: reason == .ownIsSent ? UnixTime(seconds: 5) : nil, drains: reason == .ownIsSweep)
        _ = try manager.store.updateTransaction(stored.id) { _ in stored }
        #expect(repeated(psbt).isEmpty == (reason != nil))
    }

    /// What nobody here was asked about is not sent unasked either, and asked about once, whenever the first payment was
    /// sent.
    @Test(arguments: [Int64(4), 6]) func whatComesFromElsewhereIsNotSentUnasked(_ time: Int64) async throws {
        let first = try await make(order())
        try update(first) {
            $0.psbt = try bench.keys.signed($0.psbt)
            $0.sent = UnixTime(seconds: time)
        }
        let psbt = try elsewhere([bench.source.pay(bench.script(0, 5), 20_000, salt: 50)])
        let imported = try manager.importTransaction(psbt, network: .regtest).transaction
        let later = try manager.repetitions(since: manager.review(of: imported, network: .regtest))
        #expect(later.isEmpty == (time == 4))
        let alone = CardManager(store: manager.store, chain: ChainServers(bench.source)) { UnixTime(seconds: 7) }
        let error = await #expect(throws: (any Error).self) { try await alone.send(imported, network: .regtest) }
        #expect((error as? any ExplainedError)?.code == .confirmationNeeded && bench.source.sent.isEmpty)
        let person = ScriptedInteraction(
            decide: { question in
                guard case .send(let shown, _) = question else { return }
                #expect(shown.unacceptedFindings.map(\.code) == [.addressAlreadyPaid])
                #expect(shown.findings.count { $0.code == .addressAlreadyPaid } == 1)
            }, give: { _ in throw ScriptedInteraction.Declined() })
        let asking = CardManager(store: manager.store, chain: ChainServers(bench.source), interaction: person) {
            UnixTime(seconds: 7)
        }
        _ = try await asking.send(imported, network: .regtest)
        #expect(person.words == ["send"] && bench.source.sent.count == 1)
    }

    /// Two orders of the same, made before either was sent: nobody was asked when they were made.
    @Test func aSecondDraftIsAskedAboutWhenItIsSent() async throws {
        let other = Script([0x00, 0x14] + [UInt8](repeating: 3, count: 20))
        let drafts = [try await make(order()), try await make(order()), try await make(order(other))]
        for draft in drafts { try sign(draft) }
        func repeated(_ draft: StoredTransaction) throws -> [Finding] {
            let stored = try #require(try manager.store.transaction(draft.id))
            return try manager.repetitions(since: manager.review(of: stored, network: .regtest))
        }
        #expect(try repeated(drafts[1]).isEmpty)
        try update(drafts[0]) {
            $0.psbt = try bench.keys.signed($0.psbt)
            $0.sent = UnixTime(seconds: 6)
        }
        let found = try repeated(drafts[1])
        #expect(found.map(\.code) == [.addressAlreadyPaid] && found[0].severity == .warning)
        #expect(found[0].message.contains("\(drafts[0].id)"))
        // Itself, and who pays somebody else, do not matter; nor does what was sent before it was built.
        #expect(try repeated(drafts[0]).isEmpty && repeated(drafts[2]).isEmpty)
        try update(drafts[0]) {
            $0.psbt = try bench.keys.signed($0.psbt)
            $0.sent = UnixTime(seconds: 5)
        }
        #expect(try repeated(drafts[1]).isEmpty)
    }

    /// However deep the first payment is: where nobody can be asked, no second one is sent.
    @Test func nothingIsPaidTwiceUnasked() async throws {
        let drafts = [try await make(order()), try await make(order())]
        for draft in drafts { try sign(draft) }
        try update(drafts[0]) {
            $0.psbt = try bench.keys.signed($0.psbt)
            $0.sent = UnixTime(seconds: 6)
            $0.standing = ChainStanding(height: 100, tip: 300)
        }
        let alone = CardManager(store: manager.store, chain: ChainServers(bench.source)) { UnixTime(seconds: 7) }
        let second = try #require(try manager.store.transaction(drafts[1].id))
        let error = await #expect(throws: (any Error).self) { try await alone.send(second, network: .regtest) }
        #expect((error as? any ExplainedError)?.code == .confirmationNeeded && bench.source.sent.isEmpty)
        // What was built after a transaction was sent does not keep that from being sent again.
        try update(drafts[1]) {
            $0.psbt = try bench.keys.signed($0.psbt)
            $0.sent = UnixTime(seconds: 4)
        }
        let again = try #require(try manager.store.transaction(drafts[1].id))
        #expect(try manager.repetitions(since: manager.review(of: again, network: .regtest)).isEmpty)
    }

    /// Two questions can be open at once, each about one of two drafts: the second yes was not about the first payment.
    @Test func whatIsSentWhileAQuestionIsOpenIsAskedAbout() async throws {
        let drafts = [try await make(order()), try await make(order())]
        for draft in drafts { try sign(draft) }
        var sent = try #require(try manager.store.transaction(drafts[0].id))
        sent.sent = UnixTime(seconds: 6)
        let (other, store) = (sent, manager.store)
        let person = ScriptedInteraction(
            decide: { question in
                guard case .send(let review, _) = question else { return }
                guard review.unacceptedFindings.isEmpty else { throw ScriptedInteraction.Declined() }
                _ = try store.updateTransaction(other.id) { _ in other }
            }, give: { _ in throw ScriptedInteraction.Declined() })
        let asking = CardManager(store: store, chain: ChainServers(bench.source), interaction: person) {
            UnixTime(seconds: 7)
        }
        let second = try #require(try store.transaction(drafts[1].id))
        await #expect(throws: ScriptedInteraction.Declined.self) { try await asking.send(second, network: .regtest) }
        #expect(person.entries.count == 2 && bench.source.sent.isEmpty)
    }

    /// Another program with the same keys sent it.
    @Test func whatTheChainTellsIsAskedAbout() async throws {
        let coin = try bench.source.pay(bench.script(0, 4), 20_000, salt: 9)
        let spend = try bench.spending([coin], [WalletBench.output(19_000)])
        bench.source.add(spend, height: nil)
        #expect(try await findings(order()).map(\.message).contains { $0.contains("\(spend.id)") })
        // Whoever else pays that address is no concern.
        let others = try SampleWallet.funding(WalletBench.stranger, amount: 1_000, salt: 77)
        bench.source.add(others, height: nil)
        #expect(try await findings(order()).count == 1)
    }

    /// Its own transaction, seen on the chain as well, is asked about once, also if another program sent it.
    @Test(arguments: [true, false]) func theSameTransactionIsAskedAboutOnce(_ wasSentHere: Bool) async throws {
        let stored = try await make(order())
        try update(stored) {
            $0.psbt = try bench.keys.signed($0.psbt)
            if wasSentHere { $0.sent = UnixTime(seconds: 6) }
        }
        bench.source.add(try bench.signed(stored), height: nil)
        try manager.store.add(bench.opened.stored)
        let asking = CardManager(store: manager.store, chain: ChainServers(bench.source)) { UnixTime(seconds: 7) }
        _ = try await asking.synchronize(bench.opened)
        #expect(try await findings(order()).map(\.severity) == [.warning])
    }
}
