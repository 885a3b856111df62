import TestSupport
import Testing

@testable import ChainData

/// What an Esplora server answers is taken in time that grows as it does. How JSON is read, `JSONScalingTests` measures.
@Suite(.serialized) struct EsploraScalingTests {
    @Test func coins() async throws {
        try await AnswerScaling.expectLinear("Esplora's coins", .coins) { size in
            let answer = AnswerScaling.list(
                AnswerScaling.ids.prefix(size).map {
                    #"{"txid":"\#($0)","vout":1,"status":{"confirmed":true,"block_height":100},"value":5000}"#
                })
            let server = try EsploraStandIn { _ in HTTPStandIn.reply(answer) }
            return { try server.source($0) }
        }
    }

    @Test func unconfirmedTransactions() async throws {
        try await AnswerScaling.expectLinear("unconfirmed transactions", .history, upTo: 10_000) { size in
            let answer = AnswerScaling.list(
                AnswerScaling.ids.prefix(size).map { #"{"txid":"\#($0)","status":{"confirmed":false}}"# })
            let server = try EsploraStandIn { _ in HTTPStandIn.reply(answer) }
            return { try server.source($0) }
        }
    }

    /// A server may make its pages as long as it likes, and begin them with what it sent before.
    @Test(arguments: [0, 100]) func pages(_ overlap: Int) async throws {
        try await AnswerScaling.expectLinear(
            "transactions on pages with \(overlap) that are known", .history, from: 500, upTo: 4_000
        ) { size in
            let ids = AnswerScaling.ids
            let entries = ids.map { #"{"txid":"\#($0)","status":{"confirmed":true,"block_height":100}}"# }
            let places = Dictionary(zip(ids, ids.indices)) { first, _ in first }
            let server = try EsploraStandIn { request in
                let last = request.path.split(separator: "/").last.flatMap { places[String($0)] }
                let start = last.map { $0 + 1 } ?? 0
                return HTTPStandIn.reply(AnswerScaling.list(entries[max(0, start - overlap)..<min(start + 100, size)]))
            }
            return { try server.source($0) }
        }
    }
}
