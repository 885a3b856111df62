import Bitcoin
import Foundation
import TestSupport
import Testing

@testable import ChainData

/// What Bitcoin Core's answers may be, and what not.
@Suite(.serialized) struct CoreAnswerTests {
    private static let id = String(repeating: "ab", count: 32)
    private let sample = Sample()

    private func scan(_ unspents: String, success: String = "true") throws -> CoreStandIn {
        try CoreStandIn { method, _ in
            switch method {
            case "scantxoutset": #"{"success":\#(success),"unspents":[\#(unspents)]}"#
            default: "[]"
            }
        }
    }

    private func unspent(amount: String, script: String? = nil) -> String {
        #"{"txid":"\#(Self.id)","vout":1,"scriptPubKey":"\#(script ?? sample.script.description)","amount":\#(amount),"height":9}"#
    }

    @Test(arguments: [
        ("0.00000001", 1), ("1E-8", 1), ("0.1", 10_000_000), ("20999999.99999999", 2_099_999_999_999_999),
        ("21000000.00000000", 2_100_000_000_000_000), ("0.00000000", 0), ("2.1e7", 2_100_000_000_000_000),
        ("0.57", 57_000_000), ("1.1", 110_000_000),
    ])
    func readsAmountsExactly(_ amount: String, _ satoshis: Int64) async throws {
        let server = try scan(unspent(amount: amount))
        let claims = try await server.source().unspent(of: [sample.script])
        #expect(claims.joined().map(\.amount.satoshis) == [satoshis])
        #expect(claims.joined().map(\.height) == [9])
    }

    @Test(arguments: ["-0.00000001", "0.000000001", "21000000.00000001", "\"0.1\"", "1e300", "1e-300", "true", "null"])
    func refusesAnAmount(_ amount: String) async throws {
        let server = try scan(unspent(amount: amount))
        let error = await #expect(throws: ChainError.self) {
            try await server.source().unspent(of: [sample.script])
        }
        #expect(error?.code == "chain_malformed")
    }

    @Test func noticesACoinThatWasNotAskedFor() async throws {
        let server = try scan(unspent(amount: "1", script: "51"))
        await #expect(throws: ChainError.liar("a coin with a script that was not asked for")) {
            try await server.source().unspent(of: [sample.script])
        }
    }

    @Test func saysThatAScanWasAborted() async throws {
        let server = try scan("", success: "false")
        await #expect(throws: ChainError.serverError(status: nil, message: ServerText("the scan was aborted"))) {
            try await server.source().unspent(of: [sample.script])
        }
    }

    @Test func endsTheScanThatNobodyWaitsForAnyMore() async throws {
        let genesis = #"[{"result":{"chain":"regtest"},"id":0},{"result":"\#(Network.regtest.genesisHash)","id":1}]"#
        let server = try HTTPStandIn { request in
            if request.body.contains(#"["start""#) { return nil }
            return HTTPStandIn.reply(request.body.contains("abort") ? #"[{"result":true,"id":0}]"# : genesis)
        }
        let source = try ChainServer(parsing: "core:http://a:b@127.0.0.1:\(server.port)").open(network: .regtest)
        let scan = Task { [sample] in try await source.unspent(of: [sample.script]) }
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

    @Test func namesTheBlockWhereTheNodeHasNoIndex() async throws {
        let (sample, block) = (sample, String(repeating: "ef", count: 32))
        let claim = #"{"txid":"\#(sample.id)","vout":0,"scriptPubKey":"\#(sample.script)","amount":0.00005,"height":9}"#
        let server = try CoreStandIn { method, repetition in
            switch method {
            case "scantxoutset": #"{"success":true,"unspents":[\#(claim)]}"#
            case "getblockhash": "\"\(block)\""
            // Without a block first, then with one.
            case "getrawtransaction": repetition < 6 ? #"!{"code":-5,"message":"No such"}"# : "\"\(sample.hex)\""
            default: "[]"
            }
        }
        let coins = try await server.source().coins(of: [sample.script])
        #expect(coins.joined().map(\.outpoint.transactionID) == [sample.id])
        let last = try #require(server.http.requests.last { $0.body.contains("getrawtransaction") })
        #expect(last.body.contains(#"["\#(sample.id)",false,"\#(block)"]"#))
    }

    @Test func saysThatTheNodeNeedsAnIndex() async throws {
        let server = try CoreStandIn { _, _ in #"!{"code":-5,"message":"No such"}"# }
        let error = await #expect(throws: ChainError.self) { try await server.source().transactions([sample.id]) }
        #expect(error?.code == "chain_unsupported")
    }

    @Test func waitsForANodeThatStarts() async throws {
        let waits = NotedWaits()
        let server = try CoreStandIn { _, repetition in
            repetition < 3 ? #"!{"code":-28,"message":"Loading block index…"}"# : "{}"
        }
        #expect(try await server.source(.forTests(waits)).feeRate(targetBlocks: 2) == nil)
        #expect(waits.all == [.milliseconds(500), .seconds(1)])
    }

    @Test(arguments: [
        #"[{"result":{},"error":null,"id":7}]"#, "[]", "{}", #"[{"result":{},"error":null}]"#,
        #"[{"error":null,"id":0}]"#,
        #"[{"error":5,"id":0}]"#, #"[{"error":{"code":1.5,"message":"x"},"id":0}]"#, "[[]]", "",
    ])
    func refusesAnAnswer(_ body: String) async throws {
        let server = try HTTPStandIn { request in
            request.repetition > 0
                ? HTTPStandIn.reply(body)
                : HTTPStandIn.reply(
                    #"[{"result":{"chain":"regtest"},"id":0},{"result":"\#(Network.regtest.genesisHash)","id":1}]"#)
        }
        let source = try ChainServer(parsing: "core:http://a:b@127.0.0.1:\(server.port)")
            .open(network: .regtest, settings: .forTests(retries: 0))
        #expect(
            await #expect(throws: ChainError.self) { try await source.feeRate(targetBlocks: 2) }?.code
                == "chain_malformed")
    }

    @Test func asksTheNodeBeforeItSends() async throws {
        let server = try CoreStandIn { method, _ in
            method == "testmempoolaccept"
                ? #"[{"allowed":false,"reject-reason":"dust"}]"# : #"!{"code":-1,"message":"sent"}"#
        }
        await #expect(throws: ChainError.rejected(reason: ServerText("dust"))) {
            try await server.source().broadcast(sample.transaction)
        }
        #expect(!server.http.requests.contains { $0.body.contains("sendrawtransaction") })
    }

    @Test(arguments: [(-26, "transaction_rejected"), (-25, "transaction_rejected"), (-1, "chain_server_error")])
    func tellsWhySendingFailed(_ number: Int, _ code: String) async throws {
        let server = try CoreStandIn { method, _ in
            method == "testmempoolaccept" ? #"[{"allowed":true}]"# : #"!{"code":\#(number),"message":"x"}"#
        }
        #expect(
            await #expect(throws: ChainError.self) { try await server.source().broadcast(sample.transaction) }?.code
                == code)
    }
}
