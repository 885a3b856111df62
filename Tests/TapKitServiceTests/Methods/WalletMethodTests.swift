import Bitcoin
import ByteCodec
import FlowSupport
import TapKitService
import TapManager
import TestSupport
import Testing

/// Wallets for a program: added, labelled, their history, and a higher fee for what they send.
@Suite struct WalletMethodTests {
    @Test func aCardsAccountBecomesAWallet() async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let desk = ScriptedDesk()
        let client = try await ServiceBench(cards: [card], desk: desk).client()
        let answer = try await client.call("wallet.add", #"{"name":"mine"}"#)
        let fingerprint = try card.wallet().fingerprint
        #expect(answer["descriptors"]?.array?.first?.string?.hasPrefix("wpkh([\(fingerprint)/84h/1h/0h]") == true)
        #expect(desk.asked == ["cvc"])
        #expect(try await client.call("wallets")["wallets"]?.array?.count == 1)
        // The name is refused before a card is used.
        let taken = try await client.failure("wallet.add", #"{"name":"mine"}"#)
        #expect(taken["data"]?["code"] == .string("wallet_exists") && desk.asked == ["cvc"])
    }

    /// A card at a cosigner's path becomes a wallet of its own only after a question that says so.
    @Test func aCosignersAccountBecomesAWalletOnlyAfterAQuestion() async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let path = try DerivationPath(parsing: "m/48h/1h/0h/2h")
        _ = try await card.run { try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).derive(path) }
        let client = try await ServiceBench(cards: [card]).client { method, _ in
            method == "interaction.confirm" ? .bool(true) : .string(FlowBench.cvc)
        }
        let answer = try await client.call("wallet.add", #"{"name":"w","asks":"client"}"#)
        let question = client.told("interaction.confirm").first
        #expect(question?["question"] == .string("use_cosigners_account"))
        #expect(question?["path"] == .string("m/48h/1h/0h/2h"))
        #expect(answer["warnings"]?.array?.first?.string?.hasPrefix("m/48h/1h/0h/2h is a path for cosigners") == true)
    }

    @Test func descriptorsNeedNoCard() async throws {
        let bench = try WalletBench()
        let text = try #require(bench.wallet.descriptors.first?.text)
        let client = try await ServiceBench().client()
        let answer = try await client.call("wallet.add", #"{"name":"w","descriptor":"\#(text)","network":"regtest"}"#)
        #expect(answer["descriptors"] == .array([.string(text)]) && answer["network"] == .string("regtest"))
        let again = try await client.call("wallet.add", #"{"name":"v","descriptor":"\#(text)","network":"regtest"}"#)
        #expect(again["same_as"] == .array([.string("w")]))
        let bad = try await client.failure("wallet.add", #"{"name":"x","descriptor":"wpkh(x)"}"#)
        #expect(bad["data"]?["code"] == .string("bad_descriptor"))
        #expect(
            try await client.failure("wallet.add", #"{"name":"x","change":"\#(text)"}"#)["code"] == .integer(-32_602))
    }

    /// A call that names none works on the network of the settings.
    @Test(arguments: [(nil, "test"), (.signet, "signet")] as [(Network?, String)])
    func theNetworkIsThatOfTheSettings(_ network: Network?, _ expected: String) async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let client = try await ServiceBench(cards: [card], network: network).client()
        #expect(try await client.call("wallet.add", #"{"name":"w"}"#)["network"] == .string(expected))
        let other = try await client.call("wallet.add", #"{"name":"v","network":"regtest"}"#)
        #expect(other["network"] == .string("regtest"))
    }

    /// A wallet “w” on a chain of its own.
    private func served(_ features: FakeChain) throws -> (WalletBench, ServiceBench) {
        let wallet = try WalletBench(over: features)
        let bench = try ServiceBench(chain: ChainServers(wallet.source))
        bench.store.save(
            StoredWallet(
                name: "w", network: .regtest,
                descriptors: wallet.wallet.descriptors.compactMap(\.text).map(DescriptorText.init(stored:)),
                created: UnixTime(seconds: 1)))
        return (wallet, bench)
    }

    @Test func labelsReplaceLabelsAndThawNothing() async throws {
        let (wallet, bench) = try served(FakeChain())
        let client = try await bench.client()
        let coin = try wallet.source.pay(wallet.script(0, 0), 10_000, salt: 1)
        _ = try await client.call("wallet.sync", #"{"wallet":"w"}"#)
        bench.store.save([
            StoredLabel(type: "output", reference: "\(coin)", label: "old", isSpendable: false),
            StoredLabel(type: "tx", reference: "\(coin.transactionID)", label: "old", origin: "wpkh([d34db33f])"),
        ])
        let address = try wallet.wallet.address(at: WalletPlace(descriptor: 0, branch: 0, index: 0)).description
        for target in ["\(coin)", "\(coin.transactionID)", address, address.uppercased()] {
            let answer = try await client.call("wallet.label", #"{"wallet":"w","target":"\#(target)","text":"rent ₿"}"#)
            #expect(answer["own"] == .integer(1) && answer["thawed"] == .array([]), "\(target)")
        }
        let labels = bench.store.labels()
        #expect(labels.count == 3 && labels.allSatisfy { $0.label == "rent ₿" })
        #expect(labels.first { $0.type == "output" }?.isSpendable == false)
        #expect(labels.first { $0.type == "tx" }?.origin == "wpkh([d34db33f])")
    }

    @Test func whatCannotBeLabelledIsRefused() async throws {
        let (_, bench) = try served(FakeChain())
        let client = try await bench.client()
        func failure(_ target: String, _ text: String) async throws -> JSONValue {
            try await client.failure("wallet.label", #"{"wallet":"w","target":"\#(target)","text":"\#(text)"}"#)
        }
        let id = String(repeating: "ab", count: 32)
        #expect(try await failure(id, "")["code"] == .integer(-32_602))
        #expect(try await failure(id, String(repeating: "é", count: 256))["code"] == .integer(-32_602))
        #expect(try await failure("rent", "x")["data"]?["code"] == .string("bad_address"))
        let foreign = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
        #expect(try await failure(foreign, "x")["data"]?["code"] == .string("wrong_network"))
        #expect(bench.store.labels().isEmpty)
    }

    @Test func theHistoryHasTheBalanceAfterEachEntry() async throws {
        let (wallet, bench) = try served(FakeChain())
        let client = try await bench.client()
        let coin = try wallet.source.pay(wallet.script(0, 0), 10_000, salt: 1, height: 100)
        try wallet.source.pay(wallet.script(0, 1), 2_000, salt: 2, height: 101)
        wallet.source.add(
            try wallet.spending([coin], [WalletBench.output(3_000), WalletBench.output(6_500, wallet.script(1, 0))]),
            height: nil)
        let entries = try await client.call("wallet.history", #"{"wallet":"w"}"#)["transactions"]?.array
        #expect(entries?.map { $0["balance_sat"] } == [.integer(8_500), .integer(12_000), .integer(10_000)])
        let shown = try await client.call("wallet.show", #"{"wallet":"w"}"#)
        #expect(shown["confirmed_sat"] == .integer(2_000) && shown["unconfirmed_sat"] == .integer(6_500))
    }

    /// A history with gaps adds up to nothing.
    @Test func aHistoryWithGapsHasNoBalances() async throws {
        let (wallet, bench) = try served(FakeChain(features: []))
        try wallet.source.pay(wallet.script(0, 0), 10_000, salt: 1, height: 100)
        let answer = try await bench.client().call("wallet.history", #"{"wallet":"w"}"#)
        #expect(answer["knows_history"] == .bool(false))
        #expect(answer["transactions"]?.array?.map { $0["balance_sat"] } == [nil])
    }

    @Test func aReplacementPaysMore() async throws {
        let (wallet, bench) = try served(FakeChain())
        let client = try await bench.client()
        try wallet.source.pay(wallet.script(0, 0), 100_000, salt: 1)
        let payee = try #require(Address(scriptPubKey: WalletBench.stranger, network: .regtest))
        let order = #"{"wallet":"w","to":[{"address":"\#(payee)","amount_sat":30000}],"sat_per_vb":"2"}"#
        let old = try await client.call("transaction.create", order)
        let id = try #require(old["id"]?.string)
        let less = try await client.failure("transaction.bump", #"{"id":"\#(id)","sat_per_vb":"1"}"#)
        #expect(less["data"]?["code"] == .string("cannot_bump"))
        let new = try await client.call("transaction.bump", #"{"id":"\#(id)","sat_per_vb":"5"}"#)
        #expect(new["replaces"] == .string(id))
        #expect(new["outputs"]?.array?.contains { $0["amount_sat"] == .integer(30_000) } == true)
        #expect(try #require(new["fee_sat"]?.integer) > #require(old["fee_sat"]?.integer))
        #expect(
            try await client.failure("transaction.show", #"{"id":"\#(id)"}"#)["data"]?["code"]
                == .string("no_such_transaction"))
    }
}
