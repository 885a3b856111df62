import Bitcoin
import TestSupport
import Testing

@testable import TapManager

/// Where transactions stand in the chain, and what cards are called.
extension StoreConformance {
    private static func replaced(height: Int, tip: Int) throws -> ChainStanding {
        let rival: TransactionID = try #require(TransactionID([UInt8](repeating: 0xA5, count: 32)))
        return ChainStanding(height: height, tip: tip, replacedBy: rival)
    }

    @Test(arguments: StoreKind.allCases) func aStandingIsKeptBesideWhatIsSigned(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let (psbt, cosigners) = try StoreSample.multisig()
        let id = psbt.unsignedTransaction.id
        _ = try bench.store.merge(psbt, wallet: "w", note: "n", at: 1)
        let signatures = try cosigners.prefix(2).map { try StoreSample.signature(psbt, input: 0, by: $0) }
        for signature in signatures { try bench.store.add(signature, to: id, at: 2) }
        let before = try #require(try bench.store.transaction(id))
        let (signed, open) = (before.psbt, before.summary.state)
        let confirmed = ChainStanding(height: 100, tip: 100)
        let steps: [(standing: ChainStanding?, state: TransactionState, confirmations: Int)] = [
            (confirmed, .confirmed, 1), (ChainStanding(height: 100, tip: 104), .confirmed, 5), (nil, open, 0),
            (try Self.replaced(height: 101, tip: 103), .replaced, 0), (nil, open, 0),
        ]
        for (standing, state, confirmations) in steps {
            try bench.store.note([id: standing], at: 7)
            let read = try #require(try bench.store.transaction(id))
            #expect(read.standing == standing && read.psbt.isSame(as: signed))
            #expect(read.summary.state == state && read.summary.confirmations == confirmations)
            #expect(read.updated == 2 && read.note == "n" && read.wallet == "w")
            // Seen in a block a server has it, from whomever; that it was sent would stay if that was a lie.
            #expect(read.sent == nil && read.offered == 7)
            #expect(try bench.store.transactions(limit: 9, offset: 0) == [read.summary])
        }
        // What else is changed leaves it.
        try bench.store.note([id: confirmed], at: 8)
        _ = try bench.store.merge(psbt, note: "later", at: 9)
        #expect(try bench.store.transaction(id)?.standing == confirmed)
        // Those that are not there are passed over.
        try bench.store.note([try StoreSample.psbt().unsignedTransaction.id: confirmed], at: 9)
        #expect(try bench.store.transactionCount() == 1)
    }

    /// What a server reports was given to one, by whomever: the first time counts, and it does not become sent.
    @Test(arguments: StoreKind.allCases) func whatAServerReportsWasGivenToIt(_ kind: StoreKind) throws {
        let psbt = try StoreSample.psbt()
        let (id, other) = (psbt.unsignedTransaction.id, try StoreSample.psbt(payment: 2_000).unsignedTransaction.id)
        let cases: [(sent: UnixTime?, offered: UnixTime?, expected: UnixTime?)] = [
            (nil, nil, 7), (2, nil, nil), (nil, 3, 3),
        ]
        for (sent, offered, expected) in cases {
            let bench = try StoreBench(kind)
            try bench.store.create(
                StoredTransaction(psbt: psbt, created: 1, updated: 1, sent: sent, offered: offered), replacing: nil)
            for time in [7, 8] as [UnixTime] { try bench.store.noteSeen([id, other], at: time) }
            try bench.store.note([id: ChainStanding(height: 100, tip: 100)], at: 9)
            let read = try #require(try bench.store.transaction(id))
            #expect(read.offered == expected && read.sent == sent && read.updated == 1)
            #expect(try bench.store.transactionCount() == 1)
        }
    }

    /// One that was never sent stays unsent when another one takes its coins.
    @Test(arguments: StoreKind.allCases) func aReplacedOneFreesItsCoinsWhenThatIsDeep(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let (old, new) = (try StoreSample.psbt(payment: 1_000), try StoreSample.psbt(payment: 2_000))
        let (oldID, newID) = (old.unsignedTransaction.id, new.unsignedTransaction.id)
        let coins = Set(old.unsignedTransaction.inputs.map(\.outpoint))
        _ = try bench.store.merge(old, at: 1)
        for depth in [1, 5] {
            try bench.store.note([oldID: try Self.replaced(height: 100, tip: 99 + depth)], at: 2)
            #expect(try Set(bench.store.takenCoins().keys) == coins)
            #expect(throws: StoreError.self) {
                try bench.store.create(StoredTransaction(psbt: new, created: 3, updated: 3), replacing: nil)
            }
        }
        try bench.store.note([oldID: try Self.replaced(height: 100, tip: 105)], at: 2)
        #expect(try bench.store.takenCoins().isEmpty)
        #expect(try bench.store.transaction(oldID)?.sent == nil)
        try bench.store.create(StoredTransaction(psbt: new, created: 3, updated: 3), replacing: nil)
        #expect(try Set(bench.store.takenCoins().values) == [newID])
        #expect(try bench.store.spenders() == Dictionary(uniqueKeysWithValues: coins.map { ($0, [oldID, newID]) }))
        // Whoever said so lied: both are there, with all that they have.
        try bench.store.note([oldID: nil], at: 4)
        #expect(try bench.store.transaction(oldID)?.psbt.serialized() == old.serialized())
        #expect(try bench.store.transactionCount() == 2)
        // A confirmed one's coins are spent, however deep.
        try bench.store.note([oldID: ChainStanding(height: 1, tip: 100)], at: 5)
        _ = try bench.store.deleteTransaction(newID)
        #expect(try Set(bench.store.takenCoins().keys) == coins)
    }

    @Test(arguments: StoreKind.allCases) func aCardsNameStays(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let ident = try StoreSample.ident(1)
        #expect(try !bench.store.name(ident, "Blue"))
        #expect(try bench.store.card(ident) == nil)
        try bench.store.save(StoreSample.card(1, lastSeen: 1))
        #expect(try bench.store.name(ident, "Öl 🛢 card"))
        // Seen again, it is still called so.
        try bench.store.save(StoreSample.card(1, lastSeen: 5))
        let named = try #require(try bench.store.card(ident))
        #expect(named.name == "Öl 🛢 card" && named.lastSeen == 5)
        #expect(try bench.store.cards() == [named])
        #expect(try bench.store.name(ident, nil))
        #expect(try bench.store.card(ident)?.name == nil)
        _ = try bench.store.name(ident, "x")
        #expect(try bench.store.forgetCard(ident))
        #expect(try bench.store.card(ident) == nil)
    }

    @Test(arguments: StoreKind.allCases) func theTimesOfBlocksComeBack(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let wallet = StoredWallet(name: "w", network: .regtest, descriptors: ["d"], created: 1)
        try bench.store.add(wallet)
        let transactions = try ([nil, 1_700_000_000] as [Int64?]).enumerated().map { salt, time in
            let transaction = try SampleWallet.funding(Script([0x51]), amount: 5_000, salt: UInt32(salt))
            return WalletTransaction(
                transaction: transaction, id: transaction.id, height: 7, time: time.map { UnixTime(seconds: $0) })
        }
        let chain = WalletChain(
            network: .regtest, server: "s", height: 7, time: 8, hasHistory: true, scripts: [],
            transactions: transactions,
            coins: [])
        try bench.store.save(chain, of: wallet, at: 8)
        #expect(try bench.store.chain(of: "w") == chain)
    }
}
