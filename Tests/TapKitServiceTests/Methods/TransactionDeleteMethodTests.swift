import Bitcoin
import ByteCodec
import FlowSupport
import TapKitService
import TapManager
import TestSupport
import Testing

/// A stored transaction that a program wants deleted: who is asked, what they are shown, and what is free afterwards.
@Suite struct TransactionDeleteMethodTests {
    /// What spends the only coin of a wallet.
    private static func order() throws -> String {
        let payee = try #require(Address(scriptPubKey: WalletBench.stranger, network: .regtest))
        return #"{"wallet":"w","to":[{"address":"\#(payee)","amount_sat":90000}],"sat_per_vb":"2"}"#
    }

    /// A service with one stored transaction, and the id of that.
    private func served(_ desk: ScriptedDesk) async throws -> (bench: ServiceBench, id: String) {
        let wallet = try WalletBench()
        let bench = try ServiceBench(desk: desk, chain: ChainServers(wallet.source))
        bench.store.save(
            StoredWallet(
                name: "w", network: .regtest,
                descriptors: wallet.wallet.descriptors.compactMap(\.text).map(DescriptorText.init(stored:)),
                created: UnixTime(seconds: 1)))
        try wallet.source.pay(wallet.script(0, 0), 100_000, salt: 1)
        let made = try await bench.client().call("transaction.create", Self.order())
        return (bench, try #require(made["id"]?.string))
    }

    private static func code(_ failure: JSONValue) -> JSONValue? { failure["data"]?["code"] }

    @Test func onAYesItIsGoneAndItsCoinsAreFree() async throws {
        let desk = ScriptedDesk()
        let (bench, id) = try await served(desk)
        let client = try await bench.client()
        let answer = try await client.call("transaction.delete", #"{"id":"\#(id.prefix(8))"}"#)
        #expect(answer["id"] == .string(id) && answer["deleted"] == .bool(true))
        #expect(desk.asked == ["deleteTransaction"] && bench.store.transactionCount() == 0)
        let again = try await client.failure("transaction.delete", #"{"id":"\#(id)"}"#)
        #expect(Self.code(again) == .string("no_such_transaction") && desk.asked == ["deleteTransaction"])
        _ = try await client.call("transaction.create", Self.order())
    }

    @Test func onANoItStays() async throws {
        let (bench, id) = try await served(ScriptedDesk { if $0 == "deleteTransaction" { throw Declined() } })
        let failure = try await bench.client().failure("transaction.delete", #"{"id":"\#(id)"}"#)
        #expect(Self.code(failure) == .string("declined") && bench.store.transactionCount() == 1)
    }

    /// A client's user sees which transaction it is, and what it pays.
    @Test(arguments: [false, true]) func aClientMayAskItsOwnUser(_ isAgreed: Bool) async throws {
        let desk = ScriptedDesk()
        let (bench, id) = try await served(desk)
        let client = try await bench.client { _, _ in .bool(isAgreed) }
        let params = #"{"id":"\#(id)","asks":"client"}"#
        if isAgreed {
            #expect(try await client.call("transaction.delete", params)["deleted"] == .bool(true))
        } else {
            #expect(Self.code(try await client.failure("transaction.delete", params)) == .string("declined"))
        }
        let question = client.told("interaction.confirm").first
        #expect(question?["question"] == .string("delete_transaction") && question?["id"] == .string(id))
        #expect(question?["review"]?["id"] == .string(id) && question?["under_way"] == nil)
        #expect(desk.asked.isEmpty && bench.store.transactionCount() == (isAgreed ? 0 : 1))
    }
}
