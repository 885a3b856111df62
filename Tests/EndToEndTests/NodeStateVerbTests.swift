import Bitcoin
import Foundation
import TestSupport
import Testing

/// What commands say of a real node that is not ready, and of blocks that go again.
@Suite(.fewAtATime) struct NodeStateVerbTests {
    /// A card's wallet, watched by a node's own.
    private struct Place: Sendable {
        let workshop: Workshop
        let node: BitcoinNode

        init(on node: BitcoinNode) async throws {
            (workshop, self.node) = (try await Workshop(), node)
            try await workshop.tapkit("wallet", "add", "w", "--network", "regtest").succeeded()
        }

        func sync(_ server: String) async throws -> Subprocess {
            try await workshop.tapkit(
                "wallet", "sync", "w", "--json", environment: ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": server])
        }

        func script(_ index: Int) async throws -> Script {
            let answer = try await workshop.tapkit(
                "wallet", "receive", "w", "--index", "\(index)", "--offline", "--json",
                environment: ["TAPKIT_NETWORK": "regtest"]
            ).succeeded().json()
            return try Address(parsing: answer.text("address"), network: .regtest).scriptPubKey
        }
    }

    @Test func aNodeThatCannotAnswerIsSaidSo() async throws {
        let place = try await Place(on: BitcoinNode.shared())
        let cookie = try place.workshop.folder.write("__cookie__:0000", to: "cookie")
        let stranger = try await place.sync("core:\(place.node.url)?cookie=\(cookie)")
        try stranger.expectFailure(69, "chain_unauthorized")
        #expect(try stranger.hint().contains("cookie"))

        let starting = try NodeProxy(to: place.node) { _ in .refusal(-28, "Verifying blocks…") }
        let early = try await place.sync(starting.coreServer(wallet: "w"))
        let error = try early.expectFailure(75, "chain_not_ready").field("error", as: [String: Any].self)
        #expect(try error.text("message").contains("Verifying blocks…"))
        #expect(try early.hint().contains("again"))

        let unknown = try await place.sync(place.node.coreServer(wallet: "nobody-made-this"))
        try unknown.expectFailure(69, "chain_unsupported")
    }

    /// Blocks go: what they had waits again, and comes into others, or never.
    @Test func whatWasConfirmedWaitsAgain() async throws {
        let place = try await Place(on: BitcoinNode.start())
        let node = place.node
        try await node.makeWallet("watch")
        func balance() async throws -> [Int?] {
            let answer = try await place.sync(node.coreServer(wallet: "watch")).succeeded().json()
            return [answer["confirmed_sat"] as? Int, answer["unconfirmed_sat"] as? Int]
        }
        let payer = try SingleKey("payer")
        let amount = try #require(Amount(satoshis: 200_000))
        let coin = SingleKey.Coin(try await node.fund(payer.script, amount), amount)
        try await node.mine()
        func pay(_ script: Script, _ amount: Int64) throws -> Transaction {
            try payer.spend([coin], to: [TransactionOutput(value: amount, scriptPubKey: script)])
        }
        try await node.fund(try await place.script(0), try #require(Amount(satoshis: 100_000)))
        try await node.send(try pay(try await place.script(1), 199_000))
        #expect(try await balance() == [0, 299_000])
        try await node.mine()
        #expect(try await balance() == [299_000, 0])

        try await node.reorganize(depth: 1)
        #expect(try await balance() == [0, 299_000])
        try await node.mine()
        #expect(try await balance() == [299_000, 0])

        // The payer pays somebody else before it is in a block again.
        try await node.reorganize(depth: 2)
        try await node.send(try pay(payer.script, 190_000))
        #expect(try await balance() == [0, 100_000])
        try await node.mine()
        #expect(try await balance() == [100_000, 0])
        let history = try await place.workshop.tapkit(
            "wallet", "history", "w", "--offline", "--json", environment: ["TAPKIT_NETWORK": "regtest"]
        ).succeeded().json()
        #expect(try history.field("transactions", as: [[String: Any]].self).count == 1)
        try await node.stop()
    }
}
