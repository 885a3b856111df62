import Bitcoin
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ChainData

/// What Esplora's answers may be, and what not.
@Suite(.serialized) struct EsploraAnswerTests {
    private static let id = String(repeating: "ab", count: 32)

    @Test(arguments: [
        #"{}"#, #"[1]"#, #"[{"txid":"\#(id)"}]"#, #"[{"txid":"\#(id)","status":{}}]"#,
        #"[{"txid":"\#(id)","status":{"confirmed":1}}]"#, #"[{"txid":"\#(id)","status":{"confirmed":true}}]"#,
        #"[{"txid":"\#(id)","status":{"confirmed":true,"block_height":-1}}]"#,
        #"[{"txid":"\#(id)","status":{"confirmed":true,"block_height":1.0}}]"#,
        #"[{"txid":5,"status":{"confirmed":false}}]"#, "[", "",
    ])
    func refusesAHistory(_ body: String) async throws {
        let server = try EsploraStandIn { _ in HTTPStandIn.reply(body) }
        let error = await #expect(throws: ChainError.self) {
            try await server.source().histories(of: [Sample().script])
        }
        #expect(error?.code == .chainMalformed)
    }

    @Test(arguments: [
        #""vout":0,"value":-1"#, #""vout":0,"value":1.0"#, #""vout":0,"value":2100000000000001"#,
        #""vout":-1,"value":1"#,
        #""vout":4294967296,"value":1"#, #""value":1"#, #""vout":0"#,
    ])
    func refusesACoin(_ fields: String) async throws {
        let server = try EsploraStandIn { _ in
            HTTPStandIn.reply(#"[{"txid":"\#(Self.id)","status":{"confirmed":false},\#(fields)}]"#)
        }
        let error = await #expect(throws: ChainError.self) { try await server.source().unspent(of: [Sample().script]) }
        #expect(error?.code == .chainMalformed)
    }

    @Test func refusesTextThatIsNoUTF8() async throws {
        let server = try EsploraStandIn { _ in HTTPStandIn.reply(Array(#"["#.utf8) + [0x22, 0xC3, 0x28, 0x22, 0x5D]) }
        let error = await #expect(throws: ChainError.self) {
            try await server.source().histories(of: [Sample().script])
        }
        #expect(error?.code == .chainMalformed)
    }

    @Test(arguments: [0, 1, 24, 25, 26, 50, 60])
    func turnsPages(_ count: Int) async throws {
        let ids = (0..<count).map { Sample("\($0)").id.description }
        let server = try EsploraStandIn { request in
            let last = request.path.split(separator: "/").last.map(String.init)
            let start = ids.firstIndex { $0 == last }.map { $0 + 1 } ?? 0
            let page = ids[start..<min(start + 25, count)].enumerated().map { offset, id in
                #"{"txid":"\#(id)","status":{"confirmed":true,"block_height":\#(1000 - start - offset)}}"#
            }
            return HTTPStandIn.reply("[\(page.joined(separator: ","))]")
        }
        let history = try await server.source().histories(of: [Sample().script])[0]
        #expect(history.map(\.transactionID.description) == ids.reversed())
        #expect(history.map { $0.height ?? 0 } == (0..<count).map { 1001 - count + $0 })
    }

    /// Servers that have one limit for the unconfirmed and the confirmed entries of the first page.
    @Test(arguments: [25, 50], [1, 26, 50])
    func turnsPagesThatUnconfirmedOnesShorten(_ limit: Int, _ waitingCount: Int) async throws {
        let waiting = (0..<waitingCount).map { #"{"txid":"\#(Sample("w\($0)").id)","status":{"confirmed":false}}"# }
        let ids = (0..<60).map { Sample("\($0)").id.description }
        let confirmed = ids.enumerated().map {
            #"{"txid":"\#($1)","status":{"confirmed":true,"block_height":\#(1000 - $0)}}"#
        }
        let server = try EsploraStandIn { request in
            let parts = request.path.split(separator: "/").map(String.init)
            guard parts.last != "txs" else {
                return HTTPStandIn.reply("[\((waiting + confirmed).prefix(limit).joined(separator: ","))]")
            }
            let start = ids.firstIndex { $0 == parts.last }.map { $0 + 1 } ?? 0
            return HTTPStandIn.reply("[\(confirmed[start...].prefix(limit).joined(separator: ","))]")
        }
        let history = try await server.source().histories(of: [Sample().script])[0]
        #expect(history.compactMap(\.height) == (941...1000).map { $0 })
        #expect(history.prefix(60).map(\.transactionID.description) == ids.reversed())
        #expect(history.count { $0.height == nil } == min(limit, waitingCount))
    }

    /// What a block takes between two pages is told once.
    @Test func whatABlockTakesMeanwhileIsConfirmed() async throws {
        let server = try EsploraStandIn { request in
            guard !request.path.hasSuffix(Sample("24").id.description) else { return HTTPStandIn.reply("[]") }
            let status = request.path.hasSuffix("/txs") ? "false" : #"true,"block_height":5"#
            let page = (0..<25).map { #"{"txid":"\#(Sample("\($0)").id)","status":{"confirmed":\#(status)}}"# }
            return HTTPStandIn.reply("[\(page.joined(separator: ","))]")
        }
        let history = try await server.source().histories(of: [Sample().script])[0]
        #expect(history.map(\.height) == [Int?](repeating: 5, count: 25) && server.paths.count == 3)
    }

    /// A page that is not full has everything, and nothing more is asked.
    @Test func aPageThatIsNotFullIsTheLast() async throws {
        let server = try EsploraStandIn { _ in
            HTTPStandIn.reply(#"[{"txid":"\#(Self.id)","status":{"confirmed":false}}]"#)
        }
        let history = try await server.source().histories(of: [Sample().script])[0]
        #expect(history.map(\.height) == [nil] && server.paths.count == 1)
    }

    @Test func turnsNoPagesInCircles() async throws {
        let page = (0..<25).map { #"{"txid":"\#(Sample("\($0)").id)","status":{"confirmed":true,"block_height":5}}"# }
        let body = "[\(page.joined(separator: ","))]"
        let server = try EsploraStandIn { _ in HTTPStandIn.reply(body) }
        #expect(try await server.source().histories(of: [Sample().script])[0].count == 25)
        #expect(server.paths.count == 2)
    }

    @Test func noticesAnotherTransaction() async throws {
        let (asked, given) = (Sample(), Sample("another"))
        let server = try EsploraStandIn { _ in HTTPStandIn.reply(given.transaction.serialized()) }
        await #expect(throws: ChainError.liar("it sent a different transaction for \(asked.id)")) {
            try await server.source().transactions([asked.id])
        }
    }

    @Test(arguments: [
        (#"{"1":20.5,"6":10.0004,"144":1e0}"#, 6, 10_001), (#"{"1":20.5,"6":10,"144":1}"#, 5, 20_500),
        (#"{"3":7,"6":5}"#, 1, 7_000), (#"{"3":7,"6":5}"#, 5_000, 5_000), (#"{"3":0.1}"#, 3, 1_000),
    ])
    func picksAnEstimate(_ body: String, _ target: Int, _ expected: Int64) async throws {
        let server = try EsploraStandIn { _ in HTTPStandIn.reply(body) }
        #expect(try await server.source().feeRate(targetBlocks: target)?.satoshisPerKiloVirtualByte == expected)
    }

    @Test func knowsThatThereIsNoEstimate() async throws {
        let server = try EsploraStandIn { _ in HTTPStandIn.reply("not found", status: 404) }
        #expect(try await server.source().feeRate(targetBlocks: 2) == nil)
    }

    @Test(arguments: [
        (#"[]"#, "chain_malformed"), (#"{"x":1}"#, "chain_malformed"), (#"{"0":1}"#, "chain_malformed"),
        (#"{"1":"1"}"#, "chain_malformed"), (#"{"1":1e400}"#, "chain_malformed"), (#"{"1":10000.001}"#, "chain_lie"),
    ])
    func refusesAnEstimate(_ body: String, _ code: String) async throws {
        let server = try EsploraStandIn { _ in HTTPStandIn.reply(body) }
        #expect(
            await #expect(throws: ChainError.self) { try await server.source().feeRate(targetBlocks: 2) }?.code.rawValue
                == code)
    }

    @Test(arguments: [
        (400, #"sendrawtransaction RPC error: {"code":-26,"message":"min relay fee not met"}"#),
        (500, #"sendrawtransaction RPC error -26: {"code":-26,"message":"min relay fee not met"}"#),
        (400, "min relay fee not met"),
    ])
    func tellsWhyATransactionIsRejected(_ status: Int, _ body: String) async throws {
        let server = try EsploraStandIn { _ in HTTPStandIn.reply(body, status: status) }
        await #expect(throws: ChainError.rejected(reason: ServerText("min relay fee not met"))) {
            try await server.source().broadcast(Sample().transaction)
        }
    }

    @Test func noticesAnotherTransactionSent() async throws {
        let server = try EsploraStandIn { _ in HTTPStandIn.reply(Sample("another").id.description) }
        let error = await #expect(throws: ChainError.self) { try await server.source().broadcast(Sample().transaction) }
        #expect(error?.code == .chainLied)
    }

    @Test func sendsUserAndPassword() async throws {
        let server = try HTTPStandIn { request in
            request.headers["authorization"] == "Basic YTpwOnc="
                ? HTTPStandIn.reply(Network.regtest.genesisHash.description) : HTTPStandIn.reply("secret", status: 401)
        }
        let right = try ChainServer(parsing: "esplora:http://a:p%3Aw@127.0.0.1:\(server.port)").open(network: .main)
        #expect(await #expect(throws: ChainError.self) { try await right.tip() }?.code == .chainWrongNetwork)
        let wrong = try ChainServer(parsing: "esplora:http://a:p@127.0.0.1:\(server.port)").open(network: .main)
        await #expect(throws: ChainError.unauthorized(detail: "status 401")) { try await wrong.tip() }
    }

    /// A SATSCARD's ten addresses: all asked for before the first is answered, and so their transactions.
    @Test func asksForTenScriptsAtOnce() async throws {
        let samples = (0..<10).map { Sample("slot \($0)") }
        let (coins, parents) = (Gathering(of: samples.count), Gathering(of: samples.count))
        let server = try EsploraStandIn { request in
            let parts = request.path.split(separator: "/")
            switch (parts.first, parts.last) {
            case ("scripthash", "utxo"):
                guard let sample = samples.first(where: { parts[1] == $0.script.esploraHash }), coins.arrive() else {
                    break
                }
                let status = #""status":{"confirmed":true,"block_height":5}"#
                return HTTPStandIn.reply(#"[{"txid":"\#(sample.id)","vout":0,"value":5000,\#(status)}]"#)
            case ("tx", "raw"):
                guard let sample = samples.first(where: { parts[1] == $0.id.description }), parents.arrive() else {
                    break
                }
                return HTTPStandIn.reply(sample.transaction.serialized())
            default: break
            }
            return HTTPStandIn.reply("not at once", status: 404)
        }
        let found = try await server.source().coins(of: samples.map(\.script))
        #expect(found.map(\.count) == [Int](repeating: 1, count: 10))
        #expect(server.paths.count == 20)
    }
}

/// Lets threads go on when so many have come.
private final class Gathering: Sendable {
    private let size: Int
    private let count = Mutex(0)

    init(of size: Int) { self.size = size }

    /// Waits for the others.
    /// - Returns: false when they do not come.
    func arrive() -> Bool {
        count.withLock { $0 += 1 }
        for _ in 0..<6_000 {
            if count.withLock({ $0 }) >= size { return true }
            usleep(10_000)
        }
        return false
    }
}
