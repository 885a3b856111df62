import Bitcoin
import TestSupport
import Testing

@testable import AnswerDocuments
@testable import TapManager

/// What a program's stream of events says of wallets and transactions.
@Suite struct ManagerEventDocumentTests {
    private func json(_ event: ManagerEvent) throws -> [String: Any] { try ManagerEventDocument(event).fields() }

    /// Programs rely on the names.
    @Test func walletEventsKeepTheirNames() throws {
        let chain = WalletChain(
            network: .regtest, server: "core:x", height: 7, time: UnixTime(seconds: 8), hasHistory: true,
            areSpendsProven: true, scripts: [], transactions: [], coins: [])
        let events: [(WalletEvent, String)] = [
            (.added, "wallet_added"), (.changed, "wallet_changed"), (.removed, "wallet_removed"),
            (.searching(addresses: 1, used: 2, transactions: 3), "wallet_searching"),
            (.synchronized(WalletSynchronization(chain)), "wallet_synchronized"),
        ]
        for (event, name) in events {
            let told = try json(.wallet("w", event))
            #expect(told["event"] as? String == name && told["wallet"] as? String == "w")
        }
        let answered = try json(.wallet("w", events[4].0))
        #expect(answered["height"] as? Int == 7 && answered["server"] as? String == "core:x")
        #expect(answered["confirmed_sat"] as? Int == 0 && answered["unconfirmed_sat"] as? Int == 0)
        let asked = try json(.wallet("w", events[3].0))
        #expect(["addresses", "used", "transactions"].map { asked[$0] as? Int } == [1, 2, 3])
    }

    @Test func transactionEventsKeepTheirNames() throws {
        let id = try SampleWallet(seed: 1).psbt().unsignedTransaction.id
        let signer = try #require(Fingerprint([1, 2, 3, 4]))
        let events: [(TransactionEvent, String)] = [
            (.stored, "transaction_stored"), (.changed, "transaction_changed"), (.sent, "transaction_sent"),
            (.signed(input: 4, by: signer), "transaction_signed"),
            (.replaced(by: id), "transaction_replaced"), (.restored, "transaction_restored"),
            (.overtaken, "transaction_overtaken"), (.confirmed, "transaction_confirmed"),
            (.deleted, "transaction_deleted"),
        ]
        for (event, name) in events {
            let told = try json(.transaction(id, event))
            #expect(told["event"] as? String == name && told["id"] as? String == "\(id)")
        }
        let signed = try json(.transaction(id, events[3].0))
        #expect(signed["input"] as? Int == 4 && signed["fingerprint"] as? String == "01020304")
        #expect(try json(.transaction(id, .replaced(by: id)))["by"] as? String == "\(id)")
    }
}
