import Bitcoin
import ChainData
import FlowSupport
import TestSupport
import Testing

@testable import TapManager

/// What a server tells of stored transactions that only knows unspent outputs.
extension StandingTests {
    /// Such a server, with these transactions.
    private func blind(_ told: (Transaction, height: Int?)...) -> FakeChain {
        let chain = FakeChain(features: [])
        for (transaction, height) in told { chain.add(transaction, height: height) }
        return chain
    }

    /// A coin of the wallet's, and the transaction that made it.
    private func coin(_ index: UInt32 = 3, salt: UInt32 = 1) throws -> (coin: Outpoint, funding: Transaction) {
        let coin = try bench.source.pay(bench.script(0, index), 10_000, salt: salt)
        return (coin, try #require(bench.source.transaction(coin.transactionID)))
    }

    /// Signed elsewhere, with change.
    private func rival(_ coin: Outpoint) throws -> Transaction {
        try bench.spending(
            [coin], [WalletBench.output(4_000), WalletBench.output(5_000, try bench.script(1, 0))])
    }

    /// The server tells of the replacement's change. What the replacement spent, the stored PSBT tells; that it was the
    /// wallet's, an earlier answer or the PSBT's own paths.
    @Test(arguments: [true, false]) func aReplacementIsKnownByItsChange(_ isKnown: Bool) async throws {
        let wallet = try await opened()
        let (coin, funding) = try coin()
        if isKnown { _ = try await manager(over: blind((funding, 100))).synchronize(wallet) }
        let (id, whole) = try payment([coin], 9_000)
        let rival = try rival(coin)
        _ = try await manager(over: blind((funding, 100), (rival, nil))).synchronize(wallet)
        #expect(state(id) == .sent)
        _ = try await manager(over: blind((funding, 100), (rival, 195))).synchronize(wallet)
        let standing = try #require(store.transaction(id)?.standing)
        #expect(standing == ChainStanding(height: 195, tip: 200, replacedBy: rival.id) && standing.isSettled)
        #expect(state(id) == .replaced)
        // The block is taken back, or a server with histories knows nothing of it.
        if isKnown {
            _ = try await manager(over: blind((funding, 100), (rival, nil))).synchronize(wallet)
        } else {
            _ = try await manager().synchronize(wallet)
        }
        #expect(state(id) == .sent)
        #expect(SigningResult(try #require(store.transaction(id)).psbt, added: 0).transaction == whole)
    }

    /// What leaves nothing to the wallet is asked about, all of it at once.
    @Test func whatLeavesNothingIsAskedAbout() async throws {
        let wallet = try await opened()
        let coins = try (0..<UInt32(2)).map { try coin($0, salt: $0 + 1) }
        let (first, _) = try payment([coins[0].coin], 9_000)
        let (second, whole) = try payment([coins[0].coin], 8_000)
        let (other, otherWhole) = try payment([coins[1].coin], 9_000, sent: nil)
        let fundings = coins.map(\.funding)
        let server = blind((fundings[0], 100), (fundings[1], 100), (whole, 199), (otherWhole, 200))
        _ = try await manager(over: server).synchronize(wallet)
        #expect(server.calls("heights") == 1 && server.calls("histories") == 0)
        #expect(state(first) == .replaced && state(second) == .confirmed && state(other) == .confirmed)
        #expect(store.transaction(first)?.standing?.replacedBy == whole.id)
        let seen = try #require(store.transaction(other))
        #expect(seen.sent == nil && seen.offered == UnixTime(seconds: 5))

        let later = blind((fundings[0], 100), (fundings[1], 100), (whole, nil), (otherWhole, 200))
        _ = try await manager(over: later).synchronize(wallet)
        #expect(state(first) == .sent && state(second) == .sent && state(other) == .confirmed)
        #expect(store.transactionCount() == 3)
    }

    /// What others completed, too: the missing signatures do not change its id.
    @Test func whatOthersCompletedIsAskedAbout() async throws {
        let wallet = try await opened()
        let coins = try (0..<UInt32(2)).map { try coin($0, salt: $0 + 1) }
        let signed = try bench.signedPSBT(spending: coins.map(\.coin), [WalletBench.output(19_000)])
        let whole = try #require(SigningResult(signed, added: 0).transaction)
        var part = try PSBT(unsignedTransaction: signed.unsignedTransaction)
        for index in signed.inputs.indices { part[input: index].witnessUTXO = signed.inputs[index].witnessUTXO }
        func keep() throws -> TransactionID {
            let stored = StoredTransaction(psbt: part, network: .regtest, wallet: "w", created: 1, updated: 1)
            return try store.updateTransaction(stored.id) { _ throws(StoreError) in stored }.id
        }
        let server = blind((coins[0].funding, 100), (coins[1].funding, 100), (whole, 190))
        let id = try keep()
        _ = try await manager(over: server).synchronize(wallet)
        #expect(server.calls("heights") == 0 && state(id) == .unsigned)
        part.addPartialSignatures(signed.inputs[0].partialSignatures, toInput: 0)
        _ = try keep()
        _ = try await manager(over: server).synchronize(wallet)
        #expect(state(id) == .confirmed && store.transaction(id)?.summary.isComplete == false)
        // It proves no replacement: a server could say that of it whenever it likes.
        let (rival, _) = try payment([coins[0].coin], 9_000)
        _ = try await manager(over: server).synchronize(wallet)
        #expect(state(rival) == .sent)
    }

    /// Nobody tells of it: that the coin is gone does not say where to.
    @Test func whatLeavesNothingAndIsNotStoredIsUnknown() async throws {
        let wallet = try await opened()
        let (coin, funding) = try coin()
        let (id, _) = try payment([coin], 9_000)
        let rival = try bench.spending([coin], [WalletBench.output(9_500)])
        _ = try await manager(over: blind((funding, 100), (rival, 150))).synchronize(wallet)
        #expect(state(id) == .sent)
    }

    /// That the transaction itself is in a block is the server's word. It frees no coin, and the next server mends it.
    @Test func aFalseConfirmationFreesNothing() async throws {
        let wallet = try await opened()
        let (coin, funding) = try coin()
        let (id, whole) = try payment([coin], 9_000)
        _ = try await manager(over: blind((funding, 100), (whole, 199))).synchronize(wallet)
        #expect(state(id) == .confirmed && store.takenCoins()[coin] == id)
        _ = try await manager(over: blind((funding, 100), (whole, nil))).synchronize(wallet)
        #expect(state(id) == .sent && store.takenCoins()[coin] == id)
    }

    /// However deep it is said to be, a server that has the transaction in its mempool, or its coin unspent, mends it.
    @Test(arguments: [true, false]) func aDeepLieIsMended(_ isWaiting: Bool) async throws {
        let wallet = try await opened()
        let (coin, funding) = try coin()
        let (id, whole) = try payment([coin], 9_000)
        _ = try await manager(over: blind((funding, 100), (whole, 110))).synchronize(wallet)
        #expect(try #require(store.transaction(id)?.standing).isSettled)
        let honest = isWaiting ? blind((funding, 100), (whole, nil)) : blind((funding, 100))
        _ = try await manager(over: honest).synchronize(wallet)
        #expect(state(id) == .sent && store.transaction(id)?.standing == nil)
    }

    /// That its coin is unspent says of a transaction that it is in no block, and not that a server was given it: it is
    /// still the user's alone, until a server has it.
    @Test func whatNoServerWasGivenIsNotSeen() async throws {
        let wallet = try await opened()
        let (coin, funding) = try coin()
        let (id, whole) = try payment([coin], 9_000, sent: nil)
        let server = blind((funding, 100))
        _ = try await manager(over: server).synchronize(wallet)
        #expect(server.calls("heights") == 1)
        #expect(state(id) == .complete && store.transaction(id)?.offered == nil)
        let person = ScriptedInteraction(isAgreed: false)
        await #expect(throws: ScriptedInteraction.Declined.self) { try await manager(person).delete(id) }
        guard case .otherQuestion(.deleteTransaction(let asked))? = person.entries.first else {
            throw ScriptedInteraction.Declined()
        }
        #expect(!asked.isUnderWay && asked.canBeSentByOthers)
        _ = try await manager(over: blind((funding, 100), (whole, nil))).synchronize(wallet)
        #expect(store.transaction(id)?.offered == UnixTime(seconds: 5))
    }

    /// A server is not asked about a signed transaction that nobody has seen if it would replace one that was sent: it could
    /// say that it is in a block, and the sent one's payee would be paid once more.
    @Test func whatWasNeverSentReplacesNothing() async throws {
        let wallet = try await opened()
        let (coin, funding) = try coin()
        let (sent, _) = try payment([coin], 9_000)
        let (kept, whole) = try payment([coin], 8_000, sent: nil)
        _ = try await manager(over: blind((funding, 100), (whole, 110))).synchronize(wallet)
        #expect(state(sent) == .sent && state(kept) == .complete)
        #expect(store.takenCoins()[coin] != nil)
    }

    @Test(arguments: [true, false]) func aBlockAfterTheLastOneCountsOnlyOnceItIsThere(_ isThere: Bool) async throws {
        let wallet = try await opened()
        let (coin, funding) = try coin()
        let (id, whole) = try payment([coin], 9_000)
        let server = blind((funding, 100), (whole, 201))
        if isThere { server.grow(to: 201) }
        _ = try await manager(over: server).synchronize(wallet)
        #expect(state(id) == (isThere ? .confirmed : .sent))
    }

    // MARK: Of no wallet

    /// A server whose blocks contradict each other is not believed.
    @Test func aBlockAfterTheLastOneIsALie() async throws {
        let (coin, funding) = try coin()
        let (id, whole) = try payment([coin], 9_000, wallet: nil)
        let stored = try #require(store.transaction(id))
        let (told, fault) = try await manager(over: blind((funding, 100), (whole, 203))).followed(stored)
        #expect(told.summary.state == .sent && fault?.code == .chainLied)
    }

    /// Only what a server was given and belongs to no wallet is asked about, and only when there is a server.
    @Test(arguments: [Set<ChainFeature>(), [.histories]]) func whatBelongsToNoWalletIsFollowed(
        _ features: Set<ChainFeature>
    ) async throws {
        let (coin, funding) = try coin()
        let server = FakeChain(features: features)
        server.add(funding, height: 100)
        let psbt = SigningResult(
            try bench.signedPSBT(spending: [coin], [WalletBench.output(9_000)]), added: 0
        ).psbt
        let manager = manager(ScriptedInteraction(isAgreed: true), over: server)
        let imported = try manager.importTransaction(psbt, network: .regtest).transaction
        #expect(imported.wallet == nil)
        #expect(try await manager.followed(imported).transaction.summary.state == .complete)
        let whole = try await manager.send(imported)
        let sent = try manager.transaction(named: "\(imported.id)")
        let (owned, _) = try payment([coin], 8_000)
        _ = try await manager.followed(try #require(store.transaction(owned)))
        #expect(server.calls("heights") == 0)

        #expect(try await manager.followed(sent).transaction.summary.state == .sent)
        server.add(whole, height: 199)
        let alone = CardManager(store: store) { UnixTime(seconds: 5) }
        #expect(try await alone.followed(sent).transaction.summary.state == .sent)
        let (told, fault) = try await manager.followed(sent)
        #expect(told.summary.state == .confirmed && told.summary.confirmations == 2 && fault == nil)
        #expect(server.calls("heights") == 2)
    }

    /// A server can answer that it does not take a transaction, and pass it on: what became of it is asked for, too.
    @Test func whatAServerWasGivenIsFollowedWhateverItAnswered() async throws {
        let (coin, funding) = try coin()
        let (id, whole) = try payment([coin], 9_000, wallet: nil, sent: nil)
        let refusing = blind((funding, 100))
        refusing.reject(.rejected(reason: ServerText("min relay fee not met")))
        let signed = try #require(store.transaction(id))
        await #expect(throws: SendingError.self) {
            _ = try await manager(ScriptedInteraction(isAgreed: true), over: refusing).send(signed)
        }
        let given = try #require(store.transaction(id))
        #expect(given.sent == nil && given.leftHere == UnixTime(seconds: 5) && given.summary.leftHere == given.leftHere)
        let told = try await manager(over: blind((funding, 100), (whole, 199))).followed(given).transaction
        #expect(told.summary.state == .confirmed && told.sent == nil)
    }

    /// Before it is sent once more, too; and what one server makes of it, another one mends.
    @Test func whatIsInABlockIsNotSentAgain() async throws {
        let (coin, funding) = try coin()
        let (id, whole) = try payment([coin], 9_000, wallet: nil)
        let stored = try #require(store.transaction(id))
        let liar = blind((funding, 100), (whole, 110))
        await #expect(throws: SettledError.confirmed(id, confirmations: 91)) {
            _ = try await manager(over: liar).send(stored)
        }
        #expect(liar.sent.isEmpty)
        let honest = blind((funding, 100), (whole, nil))
        await #expect(throws: SettledError.self) { _ = try await manager(over: honest).send(stored) }
        #expect(try await manager(over: honest).followed(stored).transaction.standing == nil)
        _ = try await manager(ScriptedInteraction(isAgreed: true), over: honest).send(stored)
        #expect(honest.sent == [whole.id])
    }

    /// A server that cannot be asked leaves what is known.
    @Test func aServerThatFailsChangesNothing() async throws {
        let (coin, _) = try coin()
        let (id, _) = try payment([coin], 9_000, wallet: nil)
        let stored = try #require(store.transaction(id))
        let (told, fault) = try await manager(over: FakeChain(.signet)).followed(stored)
        #expect(told.summary.state == .sent && fault?.code == .chainWrongNetwork)
    }

    /// A sweep's coins are this store's own, so that a replacement is known; what was imported may spend anybody's.
    @Test(arguments: [true, false]) func aReplacedSweepIsKnown(_ isSweep: Bool) async throws {
        let (coin, funding) = try coin()
        let (first, _) = try payment([coin], 9_000, wallet: nil, drains: isSweep)
        let (second, whole) = try payment([coin], 8_000, wallet: nil, drains: isSweep)
        let server = blind((funding, 100), (whole, 199))
        let manager = manager(over: server)
        let told = try await manager.followed(try #require(store.transaction(first))).transaction
        #expect(told.summary.state == (isSweep ? .replaced : .sent))
        #expect(state(second) == (isSweep ? .confirmed : .sent))
        #expect(server.calls("heights") == 1)
    }
}
