import Bitcoin
import TestSupport
import Testing

@testable import ChainData

/// Electrum servers that break the protocol.
@Suite(.serialized) struct ElectrumHostileTests {
    private static let id = String(repeating: "ab", count: 32)

    private func source(_ server: ElectrumStandIn, _ settings: ChainSettings = .forTests(retries: 0)) throws
        -> any ChainSource
    {
        try ChainServer(parsing: "electrum:127.0.0.1:\(server.port):t").open(network: .regtest, settings: settings)
    }

    @Test(arguments: [
        #"{}"#, #"null"#, #""text""#, #"[1]"#, #"[{}]"#, #"[{"tx_hash":"\#(id)"}]"#,
        #"[{"tx_hash":"\#(id)","height":"5"}]"#, #"[{"tx_hash":"\#(id)","height":5.0}]"#,
        #"[{"tx_hash":"\#(id)","height":5e0}]"#, #"[{"tx_hash":"\#(id)","height":-2}]"#,
        #"[{"tx_hash":"\#(id)","height":500000000}]"#, #"[{"tx_hash":"\#(id)","height":99999999999999999999}]"#,
        #"[{"tx_hash":"\#(id)","height":true}]"#, #"[{"tx_hash":"\#(id)ab","height":5}]"#,
        #"[{"tx_hash":"xy","height":5}]"#, #"[{"tx_hash":5,"height":5}]"#,
        #"[{"tx_hash":"\#(id)","height":5},{"tx_hash":"\#(id)","height":6}]"#,
        #"[{"tx_hash":"\#(id)","height":5,"height":6}]"#,
    ])
    func refusesAHistory(_ result: String) async throws {
        let server = try ElectrumStandIn { _ in .result(result) }
        let error = await #expect(throws: ChainError.self) { try await source(server).histories(of: [Sample().script]) }
        #expect(error?.code == .chainMalformed)
    }

    @Test(arguments: [
        #"{"tx_pos":0.0,"value":5}"#, #"{"tx_pos":-1,"value":5}"#, #"{"tx_pos":4294967296,"value":5}"#,
        #"{"tx_pos":0,"value":-1}"#, #"{"tx_pos":0,"value":2100000000000001}"#, #"{"tx_pos":0,"value":1.5}"#,
        #"{"tx_pos":0,"value":1e3}"#, #"{"tx_pos":0,"value":"5"}"#, #"{"tx_pos":0}"#, #"{"value":5}"#,
        #"{"tx_pos":0,"value":18446744073709551621}"#,
    ])
    func refusesACoin(_ fields: String) async throws {
        let server = try ElectrumStandIn { _ in
            .result(#"[{"tx_hash":"\#(Self.id)","height":5,\#(fields.dropFirst())]"#)
        }
        let error = await #expect(throws: ChainError.self) { try await source(server).unspent(of: [Sample().script]) }
        #expect(error?.code == .chainMalformed)
    }

    @Test(arguments: [
        Array(#"{"jsonrpc":"2.0","id":3,"result":["#.utf8), Array(#"{"id":3,"result":[]} {"#.utf8), Array("true".utf8),
        Array(#"{"id":999,"result":[]}"#.utf8), Array(#"{"id":"3","result":[]}"#.utf8),
        Array(#"{"id":-3,"result":[]}"#.utf8), Array(#"{"id":3.0,"result":[]}"#.utf8), Array(#"{"result":[]}"#.utf8),
        Array(#"{"id":3}"#.utf8), Array(#"[[[]]]"#.utf8),
        Array(#"{"id":3,"result":""#.utf8) + [0xFF] + Array(#""}"#.utf8),
        Array(#"{"id":3,"result":"\ud800"}"#.utf8), [UInt8](repeating: UInt8(ascii: "["), count: 100_000),
        Array(#"{"id":3,"result":01}"#.utf8), [], [0x00],
    ])
    func refusesALine(_ line: [UInt8]) async throws {
        let server = try ElectrumStandIn { _ in .line(line) }
        let error = await #expect(throws: ChainError.self) { try await source(server).histories(of: [Sample().script]) }
        #expect(error?.code == .chainMalformed)
    }

    @Test func endsAnEndlessLine() async throws {
        let server = try ElectrumStandIn { _ in .endless([UInt8](repeating: 0x20, count: 10_000)) }
        await #expect(throws: ChainError.tooLarge(limit: 200_000)) {
            try await source(server).histories(of: [Sample().script])
        }
    }

    @Test func endsFloodsOfNotifications() async throws {
        let flood = Array(repeating: #"{"method":"x","params":[]}"# + "\n", count: 1_000).joined()
        let server = try ElectrumStandIn { _ in .endless(Array(flood.utf8)) }
        await #expect(throws: ChainError.tooLarge(limit: 100_000, of: .notifications)) {
            try await source(server).histories(of: [Sample().script])
        }
    }

    @Test func endsFloodsOfAnswers() async throws {
        let flood = Array(repeating: #"{"id":1,"result":[]}"# + "\n", count: 1_000).joined()
        let server = try ElectrumStandIn { _ in .endless(Array(flood.utf8)) }
        await #expect(throws: ChainError.malformed("a second answer to the same request")) {
            try await source(server).histories(of: [Sample().script])
        }
    }

    @Test func takesAnAnswerThatNobodyWaitsForAnyMore() async throws {
        let asked = NotedLines()
        let server = try ElectrumStandIn { call in
            asked.note(call.method)
            if asked.all.count == 1 { return .silence }
            let late = asked.all.count == 2 ? "{\"id\":\(call.id - 1),\"result\":[]}\n" : ""
            return .line(Array("\(late){\"id\":\(call.id),\"result\":[]}".utf8))
        }
        let source = try source(server)
        let wait = Task { try await source.histories(of: [Sample().script]) }
        while asked.all.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        wait.cancel()
        await #expect(throws: ChainError.cancelled) { try await wait.value }
        #expect(try await source.histories(of: [Sample().script]) == [[]])
        #expect(try await source.histories(of: [Sample().script]) == [[]])
        #expect(server.connectionCount == 1)
    }

    @Test func doesNotWaitForEver() async throws {
        let server = try ElectrumStandIn { _ in .silence }
        var settings = ChainSettings.forTests(retries: 0)
        settings.answerTimeLimit = .milliseconds(300)
        let source = try source(server, settings)
        let error = await #expect(throws: ChainError.self) { try await source.histories(of: [Sample().script]) }
        #expect(error == .unreachable(.timedOut, detail: ""))
    }

    @Test func connectsAgainAfterTheServerEnded() async throws {
        let waits = NotedWaits()
        let isFirst = FirstTime()
        let server = try ElectrumStandIn { _ in isFirst.take() ? .end : .result("[]") }
        #expect(try await source(server, .forTests(waits)).histories(of: [Sample().script]) == [[]])
        #expect(server.connectionCount == 2)
        #expect(waits.all == [.milliseconds(500)])
    }

    @Test func givesUpAfterSoManyAttempts() async throws {
        let waits = NotedWaits()
        let server = try ElectrumStandIn { _ in .end }
        let error = await #expect(throws: ChainError.self) {
            try await source(server, .forTests(waits)).histories(of: [Sample().script])
        }
        #expect(error?.code == .chainUnreachable)
        #expect(waits.all == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    @Test(arguments: [
        ElectrumStandIn.Answer.line(Array(#"{"error":{"code":-32600,"message":"no batches"},"id":null}"#.utf8)), .end,
    ])
    func doesWithoutBatches(_ refusal: ElectrumStandIn.Answer) async throws {
        let server = try ElectrumStandIn(onBatch: refusal) { _ in .result("[]") }
        let scripts = (0..<5).map { Sample("\($0)").script }
        let source = try source(server)
        #expect(try await source.histories(of: scripts) == [[], [], [], [], []])
        #expect(try await source.histories(of: scripts).count == 5)
        #expect(server.connectionCount == 2)
    }

    @Test func putsAnswersInOrder() async throws {
        let server = try ElectrumStandIn { call in
            .result(#"[{"tx_hash":"\#(call.parameters.first ?? "")","height":7}]"#)
        }
        let scripts = (0..<450).map { Sample("\($0)").script }
        let histories = try await source(server).histories(of: scripts)
        #expect(histories.map { $0.first?.transactionID.description } == scripts.map(\.electrumHash))
        #expect(server.connectionCount == 1)
    }

    @Test func tellsThatItIsAskedTooMuch() async throws {
        let server = try ElectrumStandIn { call in
            .line(Array(#"{"id":\#(call.id),"error":{"code":-101,"message":"excessive resource usage"}}"#.utf8))
        }
        await #expect(throws: ChainError.rateLimited(retryAfter: nil)) {
            try await source(server).histories(of: [Sample().script])
        }
    }

    @Test func showsNoControlCharactersOfTheServers() async throws {
        let server = try ElectrumStandIn { call in
            .line(Array(#"{"id":\#(call.id),"error":{"code":1,"message":"a\u001b[31m\nb\u202ec"}}"#.utf8))
        }
        await #expect(throws: ChainError.serverError(status: nil, message: ServerText("a [31m b c"))) {
            try await source(server).histories(of: [Sample().script])
        }
    }

    @Test(arguments: [
        ("00", ChainError.malformed("the first block header's length is not 80")),
        (
            String(ElectrumStandIn.genesisHeader.dropLast()) + "1",
            .wrongNetwork(found: ServerText("another chain"), wanted: .regtest)
        ),
    ])
    func refusesAnotherFirstBlock(_ genesis: String, _ expected: ChainError) async throws {
        let server = try ElectrumStandIn(genesis: genesis) { _ in .result("[]") }
        let error = await #expect(throws: ChainError.self) { try await source(server).tip() }
        #expect(error?.code == expected.code)
    }

    @Test func endsAConnectionAttemptAtOnce() async throws {
        // Accepts, and says nothing: TLS waits for the other side's first words.
        let server = try ScriptedServer { connection, _ in while try !connection.read().isEmpty {} }
        let source = try ChainServer(parsing: "electrum:127.0.0.1:\(server.port):s").open(network: .regtest)
        let tip = Task { try await source.tip() }
        while server.connectionCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
        tip.cancel()
        await #expect(throws: ChainError.cancelled) { try await tip.value }
    }
}
