import Bitcoin
import Foundation
import TestSupport
import Testing

@testable import ChainData

/// What Bitcoin Core's answers may be, and what not: a real node's, altered on the way where that is what is tested.
@Suite(.serialized) struct CoreAnswerTests {
    private static let amount: Int64 = 5_000

    /// A coin in a block of the node that all tests share.
    private struct Place {
        let node: BitcoinNode
        let key: SingleKey
        let coin: SingleKey.Coin

        var script: Script { key.script }

        init(_ test: String, on node: BitcoinNode? = nil) async throws {
            if let node { self.node = node } else { self.node = try await BitcoinNode.shared() }
            key = try SingleKey("CoreAnswerTests \(test)")
            let amount = try #require(Amount(satoshis: CoreAnswerTests.amount))
            coin = SingleKey.Coin(try await self.node.fund(key.script, amount), amount)
            try await self.node.mine()
        }

        /// A payment of the coin, signed.
        func spend(fee: Int64 = 1_000) throws -> Transaction {
            try key.spend(
                [coin], to: [TransactionOutput(value: CoreAnswerTests.amount - fee, scriptPubKey: key.script)])
        }

        /// The node, with a text in the answers to a method replaced.
        func altering(_ method: String, _ text: String, by other: String) throws -> NodeProxy {
            try NodeProxy(to: node) { call in
                guard call.method == method else { return .truth }
                let truth = try call.truth()
                guard truth.contains(text) else { throw NodeError(code: 0, message: "There is no \(text): \(truth)") }
                return .result(truth.replacingOccurrences(of: text, with: other))
            }
        }

        /// The node, whose scans find another amount.
        func finding(_ amount: String) throws -> NodeProxy {
            try altering("scantxoutset", #""amount":0.00005000,"#, by: #""amount":\#(amount),"#)
        }
    }

    @Test func theTruthPasses() async throws {
        let place = try await Place("truth")
        let server = try NodeProxy(to: place.node)
        defer { withExtendedLifetime(server) {} }
        let coins = try await server.source().coins(of: [place.script])
        #expect(coins.joined().map(\.outpoint) == [place.coin.outpoint])
        #expect(coins.joined().map(\.amount) == [place.coin.amount])
    }

    @Test(arguments: [
        ("0.00000001", 1), ("1E-8", 1), ("0.1", 10_000_000), ("20999999.99999999", 2_099_999_999_999_999),
        ("21000000.00000000", 2_100_000_000_000_000), ("0.00000000", 0), ("2.1e7", 2_100_000_000_000_000),
        ("0.57", 57_000_000), ("1.1", 110_000_000),
    ])
    func readsAmountsExactly(_ amount: String, _ satoshis: Int64) async throws {
        let place = try await Place(amount)
        let server = try place.finding(amount)
        defer { withExtendedLifetime(server) {} }
        let claims = try await server.source().unspent(of: [place.script])
        #expect(claims.joined().map(\.amount.satoshis) == [satoshis])
        #expect(claims.joined().map(\.outpoint) == [place.coin.outpoint])
    }

    @Test(arguments: ["-0.00000001", "0.000000001", "21000000.00000001", "\"0.1\"", "1e300", "1e-300", "true", "null"])
    func refusesAnAmount(_ amount: String) async throws {
        let place = try await Place(amount)
        let server = try place.finding(amount)
        defer { withExtendedLifetime(server) {} }
        let error = await #expect(throws: ChainError.self) {
            try await server.source().unspent(of: [place.script])
        }
        #expect(error?.code == .chainMalformed)
    }

    @Test func noticesACoinThatWasNotAskedFor() async throws {
        let place = try await Place("not asked for")
        let server = try place.altering(
            "scantxoutset", #""scriptPubKey":"\#(place.script)""#, by: #""scriptPubKey":"51""#)
        defer { withExtendedLifetime(server) {} }
        await #expect(throws: ChainError.liar("a coin with a script that was not requested")) {
            try await server.source().unspent(of: [place.script])
        }
    }

    @Test func saysThatAScanWasAborted() async throws {
        let place = try await Place("aborted")
        let server = try place.altering("scantxoutset", #""success":true"#, by: #""success":false"#)
        defer { withExtendedLifetime(server) {} }
        await #expect(throws: ChainError.serverError(status: nil, message: ServerText("the scan was aborted"))) {
            try await server.source().unspent(of: [place.script])
        }
    }

    @Test func endsTheScanThatNobodyWaitsForAnyMore() async throws {
        let place = try await Place("nobody waits")
        let server = try NodeProxy(to: place.node) { call in
            call.method == "scantxoutset" && call.parameters.hasPrefix(#"["start""#) ? .silence : .truth
        }
        defer { withExtendedLifetime(server) {} }
        let source = try ChainServer(parsing: server.coreServer()).open(network: .regtest)
        let scan = Task { try await source.unspent(of: [place.script]) }
        while !server.requests.contains(where: { $0.body.contains(#"["start""#) }) {
            try await Task.sleep(for: .milliseconds(5))
        }
        scan.cancel()
        await #expect(throws: ChainError.cancelled) { try await scan.value }
        while !server.requests.contains(where: { $0.body.contains(#"["abort"]"#) }) {
            try await Task.sleep(for: .milliseconds(5))
        }
        await source.close()
    }

    /// A node without an index of transactions has the blocks named where the coins are, and says so of all others.
    @Test func namesTheBlockWhereTheNodeHasNoIndex() async throws {
        let node = try await BitcoinNode.start(["-txindex=0"])
        let place = try await Place("no index", on: node)
        let server = try NodeProxy(to: node)
        defer { withExtendedLifetime(server) {} }
        let unknown = await #expect(throws: ChainError.self) {
            try await server.source().transactions([place.coin.outpoint.transactionID])
        }
        #expect(unknown?.code == .chainUnsupported)

        let coins = try await server.source().coins(of: [place.script])
        #expect(coins.joined().map(\.outpoint) == [place.coin.outpoint])
        let last = try #require(server.requests.last { $0.body.contains("getrawtransaction") })
        let block = try await node.bestBlockHash()
        #expect(last.body.contains(#"["\#(place.coin.outpoint.transactionID)",false,"\#(block)"]"#))
    }

    @Test func waitsForANodeThatStarts() async throws {
        let waits = NotedWaits()
        let server = try NodeProxy(to: try await BitcoinNode.shared()) { call in
            call.method == "getblockhash" && call.repetition < 2
                ? .refusal(-28, "Loading block index…") : .truth
        }
        defer { withExtendedLifetime(server) {} }
        #expect(try await server.source(.forTests(waits)).tip().height > 100)
        #expect(waits.all == [.milliseconds(500), .seconds(1)])
    }

    @Test(arguments: [
        #"[{"result":{},"error":null,"id":7}]"#, "[]", "{}", #"[{"result":{},"error":null}]"#,
        #"[{"error":null,"id":0}]"#,
        #"[{"error":5,"id":0}]"#, #"[{"error":{"code":1.5,"message":"x"},"id":0}]"#, "[[]]", "",
    ])
    func refusesAnAnswer(_ body: String) async throws {
        let server = try NodeProxy(to: try await BitcoinNode.shared()) { call in
            call.method == "estimatesmartfee" ? .body(body) : .truth
        }
        defer { withExtendedLifetime(server) {} }
        let source = try server.source()
        #expect(
            await #expect(throws: ChainError.self) { try await source.feeRate(targetBlocks: 2) }?.code.rawValue
                == "chain_malformed")
    }

    /// The node itself says no.
    @Test func asksTheNodeBeforeItSends() async throws {
        let place = try await Place("asks")
        let server = try NodeProxy(to: place.node)
        defer { withExtendedLifetime(server) {} }
        let dust = try place.spend(fee: Self.amount - 293)
        await #expect(throws: ChainError.rejected(reason: ServerText("dust"))) {
            try await server.source().broadcast(dust)
        }
        #expect(server.requests.contains { $0.body.contains("testmempoolaccept") })
        #expect(!server.requests.contains { $0.body.contains("sendrawtransaction") })
    }

    @Test(arguments: [
        (-26, "transaction_rejected"), (-25, "transaction_rejected"), (-1, "chain_server_error"), (-27, nil),
    ])
    func tellsWhySendingFailed(_ number: Int, _ code: String?) async throws {
        let place = try await Place("why \(number)")
        let server = try NodeProxy(to: place.node) { call in
            call.method == "sendrawtransaction" ? .refusal(number, "x") : .truth
        }
        defer { withExtendedLifetime(server) {} }
        let (source, spend) = (try server.source(), try place.spend())
        do throws(ChainError) {
            let sent = try await source.broadcast(spend)
            #expect(sent == spend.id && code == nil)
        } catch { #expect(error.code.rawValue == code) }
        // Nothing was altered but the answer: the node takes it.
        let honest = try NodeProxy(to: place.node)
        defer { withExtendedLifetime((server, honest)) {} }
        #expect(try await honest.source().broadcast(spend) == spend.id)
        // It has the transaction: in the mempool, or in a block that another test had mined.
        #expect(try await place.node.refusal(of: spend) != nil)
    }

    @Test func noticesAnotherTransactionSent() async throws {
        let place = try await Place("another")
        let other = String(repeating: "ab", count: 32)
        let spend = try place.spend()
        let server = try place.altering("sendrawtransaction", "\(spend.id)", by: other)
        defer { withExtendedLifetime(server) {} }
        await #expect(throws: ChainError.liar("the node reports that it sent a transaction other than \(spend.id)")) {
            try await server.source().broadcast(spend)
        }
    }

    /// A watch-only wallet's answers are looked at as closely.
    @Test func noticesWhatTheWalletMakesUp() async throws {
        let place = try await Place("wallet")
        try await place.node.makeWallet("CoreAnswerTests")
        let honest = try NodeProxy(to: place.node)
        let coins = try await honest.source(wallet: "CoreAnswerTests").coins(of: [place.script])
        withExtendedLifetime(honest) {}
        #expect(coins.joined().map(\.outpoint) == [place.coin.outpoint])
        let amount = #""value":0.00005000,"#
        for (method, text, other, code) in [
            ("gettxout", amount, #""value":0.00005001,"#, "chain_lie"),
            ("gettxout", amount, #""value":"0.00005000","#, "chain_malformed"),
            ("gettxout", #""confirmations":"#, #""confirmations":0.5,"x":"#, "chain_malformed"),
            ("listsinceblock", #""vout":0"#, #""vout":-1"#, "chain_malformed"),
            ("gettransaction", #""hex":""#, #""hex":"zz"#, "chain_malformed"),
            ("listsinceblock", #""confirmations":"#, #""confirmations":0.5,"x":"#, "chain_malformed"),
        ] {
            let server = try place.altering(method, text, by: other)
            defer { withExtendedLifetime(server) {} }
            let source = try server.source(wallet: "CoreAnswerTests")
            let error = await #expect(throws: ChainError.self, "\(method) \(other)") {
                _ = try await source.coins(of: [place.script])
                _ = try await source.histories(of: [place.script])
            }
            #expect(error?.code.rawValue == code, "\(method) \(other): \(String(describing: error))")
        }
    }
}
