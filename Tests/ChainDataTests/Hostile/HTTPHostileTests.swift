import Bitcoin
import TestSupport
import Testing

@testable import ChainData

/// HTTP servers that fail, each in its own way; Esplora's stands for them.
@Suite(.serialized) struct HTTPHostileTests {
    private let hash = String(repeating: "cd", count: 32)

    @Test func asksABrokenServerAgainLaterAndLater() async throws {
        let waits = NotedWaits()
        let server = try EsploraStandIn { request in
            HTTPStandIn.reply("{}", status: request.repetition < 3 ? 500 + request.repetition : 200)
        }
        #expect(try await server.source(.forTests(waits)).feeRate(targetBlocks: 3) == nil)
        #expect(waits.all == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    @Test func givesABrokenServerUp() async throws {
        let waits = NotedWaits()
        let server = try EsploraStandIn { _ in HTTPStandIn.reply("<b>\u{1B}[1mbad\r\ngateway", status: 502) }
        await #expect(throws: ChainError.serverError(status: 502, message: ServerText("<b> [1mbad gateway"))) {
            try await server.source(.forTests(waits)).feeRate(targetBlocks: 3)
        }
        #expect(waits.all.count == 3)
        #expect(server.paths.count == 4)
    }

    @Test func waitsAsLongAsTheServerAsks() async throws {
        let waits = NotedWaits()
        let server = try EsploraStandIn { request in
            request.repetition == 0
                ? HTTPStandIn.reply("slow down", status: 429, headers: ["Retry-After: 7"]) : HTTPStandIn.reply("{}")
        }
        #expect(try await server.source(.forTests(waits)).feeRate(targetBlocks: 3) == nil)
        #expect(waits.all == [.seconds(7)])
    }

    @Test func waitsByItselfWhenTheServerDoesNotSayHowLong() async throws {
        let waits = NotedWaits()
        let server = try EsploraStandIn { _ in HTTPStandIn.reply("", status: 429) }
        await #expect(throws: ChainError.rateLimited(retryAfter: nil)) {
            try await server.source(.forTests(waits)).feeRate(targetBlocks: 3)
        }
        #expect(waits.all == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    @Test func waitsNoHours() async throws {
        let waits = NotedWaits()
        let server = try EsploraStandIn { _ in HTTPStandIn.reply("", status: 429, headers: ["Retry-After: 3600"]) }
        await #expect(throws: ChainError.rateLimited(retryAfter: .seconds(3600))) {
            try await server.source(.forTests(waits)).feeRate(targetBlocks: 3)
        }
        #expect(waits.all.isEmpty)
    }

    @Test func endsAnEndlessBody() async throws {
        let server = try EsploraStandIn { _ in
            Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8) + [UInt8](repeating: 0x20, count: 5_000_000)
        }
        await #expect(throws: ChainError.tooLarge(limit: 200_000)) {
            try await server.source().feeRate(targetBlocks: 3)
        }
    }

    @Test func doesNotEvenReadABodyThatIsSaidToBeTooLong() async throws {
        let server = try EsploraStandIn { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 200001\r\n\r\n".utf8) }
        await #expect(throws: ChainError.tooLarge(limit: 200_000)) {
            try await server.source().feeRate(targetBlocks: 3)
        }
    }

    @Test func noticesAnEndBeforeTheEnd() async throws {
        let server = try EsploraStandIn { _ in Array("HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{}".utf8) }
        let error = await #expect(throws: ChainError.self) { try await server.source().feeRate(targetBlocks: 3) }
        guard case .unreachable(.closed, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        "", "no HTTP at all\r\n\r\n", "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 400_000))\r\n\r\n",
    ])
    func refusesWhatIsNoAnswer(_ answer: String) async throws {
        let server = try EsploraStandIn { _ in Array(answer.utf8) }
        let error = await #expect(throws: ChainError.self) { try await server.source().feeRate(targetBlocks: 3) }
        #expect([.chainUnreachable, .chainMalformed, .chainTooLarge].contains(error?.code))
    }

    @Test func doesNotWaitForEver() async throws {
        let server = try EsploraStandIn { _ in nil }
        var settings = ChainSettings.forTests(retries: 0)
        settings.answerTimeLimit = .milliseconds(300)
        let source = try server.source(settings)
        let error = await #expect(throws: ChainError.self) { try await source.feeRate(targetBlocks: 3) }
        guard case .unreachable(.timedOut, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func endsAWaitAtOnce() async throws {
        let server = try EsploraStandIn { _ in nil }
        let source = try server.source()
        let question = Task { try await source.feeRate(targetBlocks: 3) }
        while server.paths.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        question.cancel()
        await #expect(throws: ChainError.cancelled) { try await question.value }
    }

    @Test func goesNowhereElse() async throws {
        let other = try EsploraStandIn { _ in HTTPStandIn.reply("{}") }
        let port = other.http.port
        let server = try EsploraStandIn { request in
            HTTPStandIn.reply("", status: 302, headers: ["Location: http://127.0.0.1:\(port)\(request.path)"])
        }
        await #expect(throws: ChainError.serverError(status: 302, message: ServerText(""))) {
            try await server.source().feeRate(targetBlocks: 3)
        }
        #expect(other.http.requests.isEmpty)
    }

    @Test func asksManyThingsAtATimeButNotTooMany() async throws {
        let server = try EsploraStandIn { _ in HTTPStandIn.reply("[]") }
        let scripts = (0..<60).map { Sample("\($0)").script }
        var settings = ChainSettings.forTests()
        settings.parallelRequests = 4
        #expect(try await server.source(settings).unspent(of: scripts).count == 60)
        #expect(server.paths.count == 60)
        #expect(server.http.connectionCount <= 5)
    }

    @Test func saysThatNobodyListens() async throws {
        let port = try LoopbackSocket.freePort()
        let source = try ChainServer(parsing: "esplora:http://127.0.0.1:\(port)").open(network: .regtest)
        let error = await #expect(throws: ChainError.self) { try await source.tip() }
        guard case .unreachable(.refused, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func saysThatThereIsNoSuchHost() async throws {
        let source = try ChainServer(parsing: "esplora:http://tapkit-tests.invalid").open(network: .regtest)
        let error = await #expect(throws: ChainError.self) { try await source.tip() }
        guard case .unreachable(.name, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func refusesAnotherFirstBlock() async throws {
        let hash = hash
        let server = try HTTPStandIn { _ in HTTPStandIn.reply(hash) }
        let source = try ChainServer(parsing: "esplora:http://127.0.0.1:\(server.port)/api/").open(network: .regtest)
        await #expect(
            throws: ChainError.wrongNetwork(found: ServerText("the chain from block \(hash)"), wanted: .regtest)
        ) {
            try await source.tip()
        }
        #expect(server.requests.map(\.path) == ["/api/block-height/0"])
    }
}
