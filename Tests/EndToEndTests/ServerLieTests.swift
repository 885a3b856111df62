import Bitcoin
import Foundation
import TestSupport
import Testing

/// Servers that would have a person pay twice.
@Suite struct ServerLieTests {
    private static let stranger = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"

    /// A card's wallet with three coins, and a server that can be made to lie.
    private struct Place: Sendable {
        let workshop: Workshop
        let chain: BitcoinNode
        let esplora: EsploraServer

        init() async throws {
            workshop = try await Workshop()
            chain = try await BitcoinNode.start()
            esplora = try await EsploraServer.start(over: chain)
            try await self("wallet", "add", "w").succeeded()
            for index in 0..<3 {
                let address = try await self("wallet", "receive", "w", "--index", "\(index)", "--offline")
                    .succeeded().json().text("address")
                let script = try Address(parsing: address, network: .regtest).scriptPubKey
                _ = try await chain.fund(script, try #require(Amount(satoshis: 100_000)))
            }
            try await chain.mine()
        }

        @discardableResult
        func callAsFunction(_ arguments: String...) async throws -> Subprocess {
            try await workshop.tapkit(
                arguments + ["--json"],
                environment: ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": esplora.server])
        }

        func pay(_ arguments: String...) async throws -> Subprocess {
            try await workshop.tapkit(
                ["tx", "create", "--wallet", "w", "--to", "\(ServerLieTests.stranger)=50000sat", "--fee-rate", "2"]
                    + arguments + ["--json"],
                environment: ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": esplora.server])
        }
    }

    /// The coins of a payment that was sent are said to be spent by something that nobody signed: balance 0, and no warning
    /// before the same person is paid once more.
    @Test func aSpendThatNobodySignedIsALie() async throws {
        let place = try await Place()
        let created = try await place.pay().succeeded().json()
        let coin = try #require(try created.field("inputs", as: [[String: Any]].self).first).text("outpoint")
        let invented = Transaction(
            inputs: [TransactionInput(outpoint: try #require(Outpoint(parsing: coin)))],
            outputs: [
                TransactionOutput(
                    value: 99_000, scriptPubKey: try Address(parsing: Self.stranger, network: .regtest).scriptPubKey)
            ])
        #expect(try await place.chain.refusal(of: invented)?.contains("script-verify-flag") == true)
        try await place.esplora.invent(invented)
        for confirmations in [0, 1] {
            if confirmations > 0 { try await place.chain.mine(confirmations) }
            for verb in [["wallet", "sync", "w"], ["wallet", "show", "w"], ["wallet", "receive", "w"]] {
                let refused = try await place.workshop.tapkit(
                    verb + ["--json"],
                    environment: ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": place.esplora.server])
                try refused.expectFailure(76, "chain_lie")
                #expect(refused.text.contains(invented.id.description))
            }
            try await place.pay().expectFailure(76, "chain_lie")
        }
        // What was said before is still there.
        let known = try await place("wallet", "show", "w", "--offline").succeeded().json()
        #expect(known["confirmed_sat"] as? Int == 300_000)
    }

    @Test func whoIsPaidAlreadyIsAskedAbout() async throws {
        let place = try await Place()
        let id = try await place.pay().succeeded().json().text("id")
        try await place("tx", "sign", id, "--yes").succeeded()
        try await place("tx", "broadcast", id).succeeded()
        let refused = try await place.pay("--yes")
        try refused.expectFailure(65, "not_accepted")
        #expect(refused.text.contains("address_already_paid"))
        #expect(try refused.hint().contains("--accept address_already_paid"))
        let unasked = try await place.pay()
        try unasked.expectFailure(65, "not_accepted")
        #expect(try unasked.hint().hasSuffix("--fee-rate 2 --json --accept address_already_paid"))
        #expect(try await place("tx", "list").succeeded().json()["count"] as? Int == 1)
        try await place.pay("--accept", "address_already_paid").succeeded()
        // Settled, it is no question any more.
        try await place("tx", "delete", try await newest(place), "--yes").succeeded()
        try await place.chain.mine(6)
        try await place("wallet", "sync", "w").succeeded()
        try await place.pay().succeeded()
    }

    /// An address so far behind the last paid one that other wallets would not look there.
    @Test func anAddressOutOfReachIsWarnedAbout() async throws {
        let place = try await Place()
        #expect(try await warnings(place, "wallet", "receive", "w") == [])
        #expect(try await warnings(place, "wallet", "receive", "w", "--index", "21").isEmpty)
        #expect(try await warnings(place, "wallet", "receive", "w", "--index", "22").count == 1)
        let far = try await place("wallet", "receive", "w", "--index", "60").succeeded().json().text("address")
        _ = try await place.chain.fund(
            Address(parsing: far, network: .regtest).scriptPubKey, try #require(Amount(satoshis: 1_000)))
        try await place("wallet", "sync", "w", "--gap-limit", "80").succeeded()
        let next = try await place("wallet", "receive", "w").succeeded().json()
        #expect(next["index"] as? Int == 61)
        #expect(try next.field("warnings", as: [String].self).count { $0.contains("do not look") } == 1)
    }

    private func warnings(_ place: Place, _ arguments: String...) async throws -> [String] {
        try await place.workshop.tapkit(
            arguments + ["--json"],
            environment: ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": place.esplora.server]
        ).succeeded().json().field("warnings", as: [String].self)
    }

    private func newest(_ place: Place) async throws -> String {
        let listed = try await place("tx", "list").succeeded().json().field("transactions", as: [[String: Any]].self)
        return try #require(listed.first).text("id")
    }
}
