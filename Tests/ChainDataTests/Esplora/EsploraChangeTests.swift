import Bitcoin
import TestSupport
import Testing

@testable import ChainData

@Suite(.serialized) struct EsploraChangeTests {
    private static let tip = String(repeating: "cd", count: 32)

    private func server(_ states: [String]) throws -> EsploraStandIn {
        try EsploraStandIn { request in
            guard request.path.hasPrefix("/scripthash/") else { return HTTPStandIn.reply(Self.tip) }
            let waiting = states[min(request.repetition, states.count - 1)]
            return HTTPStandIn.reply(#"{"chain_stats":{"tx_count":1},"mempool_stats":\#(waiting)}"#)
        }
    }

    @Test func noticesAPaymentThatIsReplaced() async throws {
        let server = try server([
            #"{"tx_count":1,"funded_txo_sum":5}"#, #"{"funded_txo_sum":5, "tx_count":1}"#,
            #"{"tx_count":1,"funded_txo_sum":6}"#,
        ])
        let source = try server.source()
        #expect(try await source.waitForChange(of: [Sample().script], timeout: .zero) == false)
        #expect(try await source.waitForChange(of: [Sample().script], timeout: .zero) == false)
        #expect(try await source.waitForChange(of: [Sample().script], timeout: .zero))
        #expect(try await source.waitForChange(of: [Sample().script], timeout: .zero) == false)
    }

    @Test func asksAgainUntilTimeIsUp() async throws {
        let waits = NotedWaits()
        let clock = TestClock()
        var settings = ChainSettings.forTests(waits)
        settings.pollInterval = .seconds(10)
        settings.now = { clock.now }
        settings.sleep = { duration in
            waits.note(duration)
            clock.advance(by: duration)
        }
        let server = try server([#"{"tx_count":0}"#])
        #expect(try await server.source(settings).waitForChange(of: [Sample().script], timeout: .seconds(25)) == false)
        #expect(waits.all == [.seconds(10), .seconds(10), .seconds(5)])
    }

    @Test(arguments: [#"{}"#, #"{"tx_count":"1"}"#, #"{"tx_count":1.5}"#, "5", "null"])
    func refusesAState(_ state: String) async throws {
        let server = try server([state])
        let error = await #expect(throws: ChainError.self) {
            try await server.source().waitForChange(of: [Sample().script], timeout: .zero)
        }
        #expect(error?.code == .chainMalformed)
    }
}
