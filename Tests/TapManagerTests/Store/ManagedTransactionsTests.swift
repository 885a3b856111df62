import Bitcoin
import ExplainedErrors
import FlowSupport
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// What a manager does with stored transactions, and with what it remembers of cards.
@Suite struct ManagedTransactionsTests {
    private let bench: WalletBench
    private let store = MemoryStore()

    init() throws { bench = try WalletBench() }

    private func manager(isAgreed: Bool = true) -> (CardManager, ScriptedInteraction) {
        let person = ScriptedInteraction(isAgreed: isAgreed)
        let manager = CardManager(
            store: store, chain: ChainServers(bench.source), interaction: person, clock: { UnixTime(seconds: 5) })
        return (manager, person)
    }

    private func opened(_ manager: CardManager) async throws -> OpenedWallet {
        let text = try #require(bench.wallet.descriptors.first?.text)
        return try await manager.addWallet(named: "w", of: .parsing([text]), network: .regtest).wallet
    }

    private func order(_ amount: Int64 = 5_000) throws -> WalletOrder {
        WalletOrder(
            payments: [Payment(to: WalletBench.stranger, amount: try #require(Amount(satoshis: amount)))],
            fee: .rate(.relay))
    }

    private func prepared(_ manager: CardManager) async throws -> (OpenedWallet, WalletChain, StoredTransaction) {
        for index in 0..<3 { try bench.source.pay(bench.script(0, UInt32(index)), 10_000, salt: UInt32(index + 1)) }
        let opened = try await opened(manager)
        let stored = try await manager.prepare(order(), from: opened)
        return (opened, try #require(try manager.lastChain(of: opened)), stored)
    }

    @Test func oneIsFoundByTheBeginningOfItsID() async throws {
        let (manager, _) = manager()
        let (_, _, stored) = try await prepared(manager)
        let id = "\(stored.id)"
        for text in [id, id.uppercased(), String(id.prefix(4))] {
            #expect(try manager.transaction(named: text).id == stored.id)
        }
        func error(_ text: String) -> TransactionSearchError? {
            do throws(TransactionSearchError) { _ = try manager.transactionID(named: text) } catch { return error }
            return nil
        }
        for text in ["", String(id.prefix(3)), "xyz0", "١٢٣٤", id + "0"] {
            #expect(error(text) == .noID(text), "\(text)")
        }
        let other = String(id.map { $0 == "0" ? "1" : "0" })
        #expect(error(other) == .none(other))
        #expect(try manager.transactions().count == 1 && manager.transactions(skipping: 1).summaries.isEmpty)
    }

    /// Several that begin alike are nobody's name.
    @Test func anAmbiguousBeginningIsRefused() async throws {
        let (manager, _) = manager()
        var ids: [String: TransactionID] = [:]
        for salt in UInt32(0)... {
            let coin = Outpoint(
                transactionID: try SampleWallet.funding(WalletBench.stranger, amount: 1_000, salt: salt).id, index: 0)
            let psbt = try PSBT(
                unsignedTransaction: Transaction(
                    inputs: [TransactionInput(outpoint: coin)], outputs: [WalletBench.output(900)]))
            _ = try manager.importTransaction(psbt)
            let id = psbt.unsignedTransaction.id
            let beginning = String("\(id)".prefix(4))
            guard let earlier = ids.updateValue(id, forKey: beginning) else { continue }
            let error = #expect(throws: TransactionSearchError.self) {
                _ = try manager.transactionID(named: beginning)
            }
            #expect(error == .several(beginning, earlier, id) && error?.code == .noSuchTransaction)
            return
        }
    }

    @Test func oneIsDeletedOnAYes() async throws {
        let (manager, person) = manager(isAgreed: false)
        let (_, _, stored) = try await prepared(manager)
        await #expect(throws: ScriptedInteraction.Declined.self) { _ = try await manager.delete(stored.id) }
        #expect(store.transactionCount() == 1)
        guard case .otherQuestion(.deleteTransaction(let question))? = person.entries.last else {
            Issue.record("\(person.words)")
            return
        }
        let review = manager.review(of: stored).review
        #expect(
            question
                == DeletionQuestion(
                    id: stored.id, summary: stored.summary, network: .regtest, review: review, fault: nil,
                    canBeBumped: true))
        #expect(review?.evidence == .wallet("w") && !question.isUnderWay)
        #expect(try await self.manager().0.delete(stored.id))
        #expect(store.transactionCount() == 0)
        await #expect(throws: StoreError.noSuchTransaction(stored.id)) { _ = try await manager.delete(stored.id) }
    }

    /// With its wallet, its change is known; without, it is only claimed.
    @Test func aReviewKnowsItsWallet() async throws {
        let (manager, _) = manager()
        let (opened, _, stored) = try await prepared(manager)
        let review = manager.review(of: stored)
        #expect(review.review?.evidence == .wallet("w") && review.network == .regtest && review.tally.missing > 0)
        #expect(review.review?.outputs.contains { $0.changePath != nil } == true)
        try await manager.remove(opened)
        let alone = manager.review(of: try #require(store.transaction(stored.id)))
        #expect(alone.review?.evidence == .nothing && alone.review?.outputs.contains { $0.isProvenChange } == false)
    }

    // MARK: Importing

    @Test func signaturesComeIn() async throws {
        let (manager, _) = manager()
        let (_, _, stored) = try await prepared(manager)
        let signed = try bench.keys.signed(stored.psbt)
        let (known, isNew) = try manager.importTransaction(signed, note: "back")
        #expect(!isNew && known.summary.isComplete && known.note == "back" && known.wallet == "w")
        _ = try await manager.delete(stored.id)
        #expect(try manager.importTransaction(signed).isNew)
    }

    /// A signature that is not valid is not stored, also where the PSBT does not tell what it signs.
    @Test func aFalseSignatureIsRefused() async throws {
        let (manager, _) = manager()
        let (_, _, stored) = try await prepared(manager)
        var other = stored.psbt
        let input = try #require(other.inputs.first)
        let derivation = try #require(input.derivations.first)
        let key = try bench.keys.master.descendant(derivation.path).privateKey
        other.addPartialSignature(
            PartialSignature(
                key.signGrindingLowR(digest: try #require(Digest([UInt8](repeating: 9, count: 32)))), by: key.publicKey),
            toInput: 0)
        #expect(throws: PSBTError.self) { _ = try manager.importTransaction(other) }
        var stripped = other
        stripped[input: 0].witnessUTXO = nil
        stripped[input: 0].nonWitnessUTXO = nil
        #expect(throws: PSBTError.self) { _ = try manager.importTransaction(stripped) }
        #expect(try #require(store.transaction(stored.id)).psbt.inputs.allSatisfy { $0.partialSignatures.isEmpty })
        _ = try await manager.delete(stored.id)
        #expect(throws: PSBTError.self) { _ = try manager.importTransaction(stripped) }
        #expect(store.transactionCount() == 0)
    }

    // MARK: Preparing

    /// Nobody is paid again unasked, and nothing is stored on a no.
    @Test func payingAgainIsConfirmed() async throws {
        let (manager, person) = manager(isAgreed: false)
        let (opened, _, stored) = try await prepared(manager)
        #expect(person.words.isEmpty)
        // What is signed could be sent: that is told. What was sent is asked about.
        try store.addMadeHere(bench.keys.signed(stored.psbt), by: bench.keys, at: 5)
        let second = try await manager.prepare(order(4_000), from: opened)
        #expect(person.words == ["findings"])
        _ = try await self.manager().0.delete(second.id)
        _ = try store.updateTransaction(stored.id) { present throws(StoreError) in
            var sent = present ?? stored
            sent.sent = UnixTime(seconds: 5)
            return sent
        }
        await #expect(throws: ScriptedInteraction.Declined.self) {
            _ = try await manager.prepare(order(4_000), from: opened)
        }
        #expect(person.words == ["findings", "payAgain"] && store.transactionCount() == 1)
        let (willing, yes) = self.manager()
        let third = try await willing.prepare(order(4_000), from: opened)
        #expect(yes.words == ["payAgain"] && third.wallet == "w" && third.network == .regtest)
    }

    /// One call asks the server about the wallet and the fee, and builds; the connection is closed before anybody is asked.
    @Test func anOrderNeedsNothingMoreThanAFeeChoice() async throws {
        let (manager, person) = manager()
        let opened = try await opened(manager)
        var order = try order()
        order.fee = .target(blocks: 3)
        try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        await #expect(throws: FeeError.noEstimate) { try await manager.prepare(order, from: opened) }
        #expect(store.transactionCount() == 0 && bench.source.calls("close") == 1)
        let rate = try FeeRate(parsing: "7")
        bench.source.estimate(rate)
        let stored = try await manager.prepare(order, from: opened)
        #expect(person.words == ["feeRate"] && bench.source.calls("close") == 2)
        #expect(stored.wallet == "w" && store.transaction(stored.id) != nil)
        let fee = try #require(manager.review(of: stored, network: .regtest).review?.fee)
        #expect(fee.rateText.hasPrefix("7."), "\(fee)")

        // Without a server the last answer will do, but somebody has to name the rate.
        let alone = CardManager(store: store) { UnixTime(seconds: 5) }
        await #expect(throws: FeeError.noServer) { try await alone.prepare(order, from: opened) }
        _ = try await manager.delete(stored.id)
        order.fee = .rate(rate)
        #expect(try await alone.prepare(order, from: opened).wallet == "w")
        let text = try #require(try WalletBench(.p2pkh).wallet.descriptors.first?.text)
        let stranger = try await alone.addWallet(named: "new", of: .parsing([text]), network: .regtest).wallet
        await #expect(throws: WalletError.notSynchronized("new")) { try await alone.prepare(order, from: stranger) }
    }

    @Test func unconfirmedCoinsAreNoticed() async throws {
        let (manager, _) = manager()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1, height: nil)
        let chain = try await manager.chain(of: opened(manager))
        let spend = try bench.spending([coin], [WalletBench.output(9_000)])
        #expect(chain.isUnconfirmedCoinSpent(by: spend))
        #expect(!chain.isUnconfirmedCoinSpent(by: Transaction(inputs: [], outputs: spend.outputs)))
        // Whoever allows them is told when they are spent; who only names one is not taken to allow it.
        let (willing, person) = self.manager()
        let wallet = try willing.wallet(named: "w")
        var order = try order(5_000)
        order.coins = [coin]
        await #expect(throws: CreationError.unconfirmedCoin(coin)) { try await willing.prepare(order, from: wallet) }
        #expect(person.words.isEmpty && store.transactionCount() == 0)
        order.allowsUnconfirmed = true
        let stored = try await willing.prepare(order, from: wallet)
        #expect(stored.psbt.unsignedTransaction.inputs.map(\.outpoint) == [coin])
        #expect(person.words == ["spendsUnconfirmed"])
    }

    /// The wallet's own change, which waits for a block, has no sender who could take it back.
    @Test(arguments: [true, false]) func ownChangeIsNotNoticed(_ allowsUnconfirmed: Bool) async throws {
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let change = try bench.spending([coin], [WalletBench.output(9_000, try bench.script(1, 0))])
        bench.source.add(change, height: nil)
        let (manager, person) = manager()
        var order = try order(5_000)
        order.coins = [Outpoint(transactionID: change.id, index: 0)]
        order.allowsUnconfirmed = allowsUnconfirmed
        _ = try await manager.prepare(order, from: opened(manager))
        #expect(person.words.isEmpty)
    }

    /// Whoever pays everything, and throws the card away, is told of what stays.
    @Test func coinsThatStayAreNoticed() async throws {
        let (manager, person) = manager()
        for salt in UInt32(1)...3 {
            try bench.source.pay(bench.script(0, salt), 10_000, salt: salt, height: salt == 2 ? nil : 100)
        }
        let frozen = try bench.source.pay(bench.script(0, 4), 7_000, salt: 4)
        let opened = try await opened(manager)
        store.save([StoredLabel(Label(.output, "\(frozen)", text: "", isSpendable: false))])
        var order = WalletOrder(payments: [], fee: .rate(.relay))
        order.drain = WalletBench.stranger
        let stored = try await manager.prepare(order, from: opened)
        #expect(stored.psbt.inputs.count == 2 && person.words == ["coinsStay"])
        let chain = try #require(store.chain(of: "w"))
        func staying(after transaction: Transaction) throws -> CoinsLeftBehind? {
            CoinsLeftBehind(
                of: chain, after: transaction, taken: Set(store.takenCoins().keys), frozen: try store.frozenCoins())
        }
        let coins = try #require(try staying(after: stored.psbt.unsignedTransaction))
        #expect(coins.count == 2 && coins.amount == Amount(satoshis: 17_000))
        #expect([coins.taken, coins.frozen, coins.unconfirmed, coins.others] == [0, 1, 1, 0])
        // Another one takes nothing, and the first one has two.
        let rest = try #require(try staying(after: Transaction(inputs: [], outputs: [])))
        #expect([rest.count, rest.taken, rest.frozen, rest.unconfirmed, rest.others] == [4, 2, 1, 1, 0])
        let whole = Transaction(
            inputs: chain.coins.map { TransactionInput(outpoint: $0.outpoint) },
            outputs: stored.psbt.unsignedTransaction.outputs)
        #expect(try staying(after: whole) == nil)
    }

    // MARK: Sending

    /// What only others signed was accepted by others, if at all: a fee that loses money is not paid unasked.
    @Test func whatOthersSignedIsNotSentUnaskedIfItLosesMoney() async throws {
        let (manager, person) = manager()
        let (opened, _, _) = try await prepared(manager)
        var costly = try order(1_000)
        costly.fee = .rate(try FeeRate(parsing: "40"))
        let stored = try await manager.prepare(costly, from: opened)
        let (signed, _) = try manager.importTransaction(try bench.keys.signed(stored.psbt))
        let alone = CardManager(store: store, chain: ChainServers(bench.source), clock: { UnixTime(seconds: 5) })
        let error = await #expect(throws: (any Error).self) { try await alone.send(signed, network: .regtest) }
        #expect((error as? any ExplainedError)?.code == .confirmationNeeded && bench.source.sent.isEmpty)
        // Whoever is asked sees what nobody is known to have accepted.
        _ = try await manager.send(signed, network: .regtest)
        guard case .otherQuestion(.send(let shown, _))? = person.entries.last else {
            Issue.record("\(person.words)")
            return
        }
        #expect(shown.unacceptedFindings.map(\.code).contains(.feeHigh))
        // Who signed is what the PSBT's writer says: a fingerprint proves nothing.
        var generator = SeededGenerator()
        let card = try FlowBench(using: &generator).record.cardKey
        store.save(
            CardRecord(
                publicKey: card, product: .tapsigner, isTestnet: true, fingerprint: bench.keys.fingerprint,
                lastSeen: UnixTime(seconds: 1)))
        await #expect(throws: NobodyToAsk.Absence.self) { try await alone.send(signed, network: .regtest) }
        // A card that has proven the key signed nothing that was not confirmed.
        let path = try bench.keys.accountPath(.p2wpkh)
        store.save(
            ProvenAccount(
                cardKey: card, path: path, key: try bench.keys.extendedKey(path), proven: UnixTime(seconds: 1)))
        _ = try await alone.send(signed, network: .regtest)
        #expect(bench.source.sent.count == 2)
    }

    /// What was deleted while it was on its way is sent, is told of, and stays deleted.
    @Test func whatWasDeletedMeanwhileIsSentAndNotStored() async throws {
        let (manager, person) = manager()
        let (_, _, stored) = try await prepared(manager)
        let (signed, _) = try manager.importTransaction(try bench.keys.signed(stored.psbt))
        _ = store.deleteTransaction(stored.id)
        let sent = try await manager.send(signed, network: .regtest)
        #expect(bench.source.sent == [sent.id] && store.transactionCount() == 0)
        guard case .notice(.sentUnstored(stored.id))? = person.entries.last else {
            Issue.record("\(person.words)")
            return
        }
        // What is stored is remembered as sent, without a further word.
        let (again, quiet) = self.manager()
        let (kept, _) = try again.importTransaction(signed.psbt)
        _ = try await again.send(kept, network: .regtest)
        #expect(quiet.words == ["send"] && store.transaction(stored.id)?.sent == UnixTime(seconds: 5))
    }

    // MARK: Cards

    @Test func aCardIsForgottenOnAYes() async throws {
        var generator = SeededGenerator()
        let benches = try (0..<2).map { _ in try FlowBench(using: &generator) }
        for bench in benches {
            store.save(
                CardRecord(
                    publicKey: try bench.record.cardKey, product: .tapsigner, isTestnet: true, fingerprint: nil,
                    lastSeen: UnixTime(seconds: 1)))
        }
        let ident = benches[0].ident
        let (unwilling, person) = manager(isAgreed: false)
        await #expect(throws: ScriptedInteraction.Declined.self) {
            _ = try await unwilling.forgetCard(named: ident.text.lowercased())
        }
        #expect(person.words == ["forgetCard"] && store.cards().count == 2)
        let several = await #expect(throws: CardMemoryError.self) { _ = try await unwilling.forgetCard(named: "") }
        #expect(several?.code == .badArgument && several?.remedy.contains(ident.text) == true)
        let none = await #expect(throws: CardMemoryError.self) { _ = try await unwilling.forgetCard(named: "?") }
        #expect(none?.message == "The store has no card “?”.")
        #expect(try await manager().0.forgetCard(named: ident.text).ident == ident)
        #expect(store.cards().map(\.ident) == [benches[1].ident])
    }
}
