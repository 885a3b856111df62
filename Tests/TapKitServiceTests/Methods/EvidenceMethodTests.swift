import Bitcoin
import ByteCodec
import FlowSupport
import TapKitService
import TapManager
import TestSupport
import Testing

/// What a program is told that change rests on.
@Suite struct EvidenceMethodTests {
    /// A wallet's descriptors show its change; without the wallet, only the file claims it.
    @Test func aStoredTransactionRestsOnItsWallet() async throws {
        let wallet = try WalletBench()
        let bench = try ServiceBench(chain: ChainServers(wallet.source))
        bench.store.save(
            StoredWallet(
                name: "w", network: .regtest,
                descriptors: wallet.wallet.descriptors.compactMap(\.text).map(DescriptorText.init(stored:)),
                created: UnixTime(seconds: 1)))
        let client = try await bench.client()
        try wallet.source.pay(wallet.script(0, 0), 100_000, salt: 1)
        let payee = try #require(Address(scriptPubKey: WalletBench.stranger, network: .regtest))
        let made = try await client.call(
            "transaction.create",
            #"{"wallet":"w","to":[{"address":"\#(payee)","amount_sat":30000}],"sat_per_vb":"2"}"#)
        let id = try #require(made["id"]?.string)
        let shown = try await client.call("transaction.show", #"{"id":"\#(id)","offline":true}"#)
        for document in [made, shown] {
            #expect(document["evidence"] == .string("wallet") && document["evidence_wallet"] == .string("w"))
            #expect(document["outputs"]?.array?.count { $0["change_proven"] == .bool(true) } == 1)
        }

        let psbt = try #require(made["psbt"]?.string)
        let stranger = try await ServiceBench().client()
        let review = try await stranger.call("review", #"{"psbt":"\#(psbt)","network":"regtest"}"#)
        #expect(review["evidence"] == .string("nothing") && review["evidence_wallet"] == nil)
        #expect(review["outputs"]?.array?.count { $0["claimed_path"] != nil } == 1)
        #expect(review["outputs"]?.array?.allSatisfy { $0["change"] == .bool(false) } == true)
    }
}
