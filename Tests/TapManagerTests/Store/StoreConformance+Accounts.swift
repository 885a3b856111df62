import Bitcoin
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// What cards proved, and what never goes back.
extension StoreConformance {
    @Test(arguments: StoreKind.allCases) func provenAccountsAreRemembered(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let accounts = [
            try StoreSample.account(1), try StoreSample.account(1, "m"), try StoreSample.account(2),
            try StoreSample.account(1, "m/0h/1h/2h/3h/4h/5h/6h/2147483647h"),
        ]
        for account in accounts {
            #expect(try bench.store.provenAccount(of: account.cardKey, at: account.path) == nil)
            try bench.store.save(account)
        }
        for account in accounts {
            #expect(try bench.store.provenAccount(of: account.cardKey, at: account.path) == account)
        }
        let other = try DerivationPath(parsing: "m/84h/1h/1h")
        #expect(try bench.store.provenAccount(of: accounts[0].cardKey, at: other) == nil)
        let later = ProvenAccount(
            cardKey: accounts[0].cardKey, path: accounts[0].path, key: accounts[0].key, proven: 99)
        try bench.store.save(later)
        #expect(try bench.store.provenAccount(of: later.cardKey, at: later.path) == later)
        #expect(try bench.store.provenAccounts(of: accounts[2].cardKey) == [accounts[2]])
        #expect(try bench.store.provenAccounts(of: later.cardKey) == [accounts[1], accounts[3], later])
        #expect(try bench.store.provenAccounts(of: StoreSample.account(3).cardKey).isEmpty)
    }

    @Test(arguments: StoreKind.allCases) func aHigherVersionIsNotForgotten(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let ident = try StoreSample.ident(1)
        var card = try StoreSample.card(1)
        let steps: [(seen: AppletVersion?, kept: AppletVersion?)] = [
            (nil, nil), (AppletVersion(1, 0, 2), AppletVersion(1, 0, 2)), (nil, AppletVersion(1, 0, 2)),
            (AppletVersion(0, 9, 0), AppletVersion(1, 0, 2)), (AppletVersion(1, 0, 3), AppletVersion(1, 0, 3)),
        ]
        for (seen, kept) in steps {
            card.version = seen
            try bench.store.save(card)
            #expect(try bench.store.card(ident)?.version == kept)
        }
    }

    @Test(arguments: StoreKind.allCases) func aForgottenCardProvesItselfAnew(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        try StoreSample.fill(bench.store)
        try bench.store.save(StoreSample.card(2))
        try bench.store.save(StoreSample.account(2))
        let account = try StoreSample.account(1)
        #expect(try bench.store.forgetCard(StoreSample.ident(1)))
        #expect(try bench.store.card(StoreSample.ident(1)) == nil)
        #expect(try bench.store.provenAccount(of: account.cardKey, at: account.path) == nil)
        #expect(try !bench.store.forgetCard(StoreSample.ident(1)))
        // Everything else stays.
        #expect(try bench.store.card(StoreSample.ident(2)) != nil)
        #expect(try bench.store.provenAccount(of: StoreSample.account(2).cardKey, at: account.path) != nil)
        #expect(try bench.store.backups(of: StoreSample.ident(1)).count == 1)
        #expect(try bench.store.flows(of: StoreSample.ident(1)).count == 1)
        #expect(try bench.store.transactionCount() == 1)
    }
}
