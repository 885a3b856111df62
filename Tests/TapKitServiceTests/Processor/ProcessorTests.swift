import ByteCodec
import FlowSupport
import TapKitService
import TapManager
import TestSupport
import Testing

/// What every transport's clients can rely on.
@Suite struct ProcessorTests {
    private typealias Way = ServiceBench.Way

    @Test(arguments: Way.allCases)
    private func callsAreAnsweredAndNotificationsAreNot(_ way: Way) async throws {
        let client = try await ServiceBench(way).client()
        client.send(#"{"jsonrpc":"2.0","method":"version"}"#)
        client.send(#"{"jsonrpc":"2.0","method":"no.such.method"}"#)
        let answer = try await client.call("version")
        #expect(answer["version"] == .string("test"))
        client.send(#"{"jsonrpc":"2.0","method":"version","id":"a text"}"#)
        #expect(await client.next()?["id"] == .string("a text"))
    }

    @Test(arguments: Way.allCases)
    private func errorsHaveTheSpecificationsNumbers(_ way: Way) async throws {
        let client = try await ServiceBench(way).client()
        func number(_ line: String) async -> JSONValue? {
            client.send(line)
            return await client.next()?["error"]?["code"]
        }
        #expect(await number("{") == .integer(-32_700))
        #expect(await number("[]") == .integer(-32_600))
        #expect(await number(#"{"jsonrpc":"2.0","id":1}"#) == .integer(-32_600))
        #expect(await number(#"{"jsonrpc":"2.0","id":1,"method":"no.such.method"}"#) == .integer(-32_601))
        for params in [#"{"wallet":1}"#, "{}", #"{"wallet":"w","walet":"w"}"#, "[1,2,3,4,5]", "[1]"] {
            let code = await number(#"{"jsonrpc":"2.0","id":1,"method":"wallet.show","params":\#(params)}"#)
            #expect(code == .integer(-32_602), "\(params)")
        }
        // The command's own code is there as well.
        let failure = try await client.failure("wallet.show", #"{"wallet":"w"}"#)
        #expect(failure["code"] == .integer(-32_000))
        #expect(failure["data"]?["code"] == .string("no_such_wallet"))
    }

    /// Spec: JSON-RPC 2.0, "Batch".
    @Test(arguments: Way.allCases)
    private func aBatchIsAnsweredTogether(_ way: Way) async throws {
        let client = try await ServiceBench(way).client()
        client.send(#"[{"jsonrpc":"2.0","method":"version"},{"jsonrpc":"2.0","method":"version"}]"#)
        client.send(
            #"[{"jsonrpc":"2.0","method":"version","id":1},{"jsonrpc":"2.0","method":"version"},3,"#
                + #"{"jsonrpc":"2.0","method":"no.such.method","id":2}]"#)
        let answers = try #require(await client.next()?.array)
        #expect(answers.count == 3)
        #expect(Set(answers.map { $0["id"] }) == [.integer(1), .integer(2), .null])
    }

    /// What a person is told in sentences, a program is told by codes.
    @Test func whatIsDoubtfulAboutAnAddressIsInItsRemarks() async throws {
        var generator = SeededGenerator()
        let bench = try ServiceBench()
        try ServiceBench.storeWallet("w", of: try await FlowBench.ready(using: &generator), in: bench.store)
        let answer = try await bench.client().call("wallet.receive", #"{"wallet":"w"}"#)
        #expect(answer["address"]?.string?.hasPrefix("tb1q") == true)
        #expect(answer["remarks"] == .array([.string("not_synced")]) && answer["warnings"] == nil)
    }

    /// Whatever is described as required is required, and whatever is described can be called.
    @Test func theDescriptionIsTrue() async throws {
        let bench = try ServiceBench()
        let client = try await bench.client()
        let document = try await client.call("rpc.discover")
        #expect(document["openrpc"] == .string("1.3.2"))
        let methods = try #require(document["methods"]?.array)
        #expect(methods.count == 34)
        for method in methods {
            let name = try #require(method["name"]?.string)
            let params = try #require(method["params"]?.array)
            let isRequired = params.map { $0["required"] == .bool(true) }
            // By position, the required ones come first.
            #expect(isRequired == isRequired.sorted { $0 && !$1 }, "\(name)")
            #expect(
                params.allSatisfy { $0["schema"]?.object != nil && $0["summary"]?.string?.isEmpty == false }, "\(name)")
            #expect(method["result"]?["summary"]?.string?.isEmpty == false, "\(name)")
            guard isRequired.contains(true) else { continue }
            #expect(try await client.failure(name)["code"] == .integer(-32_602), "\(name)")
        }
        let failure = try await client.failure("doctor")
        #expect(failure["code"] == .integer(-32_601))
    }

    @Test(arguments: Way.allCases)
    private func onlySoManyCallsAreWorkedOnAtOnce(_ way: Way) async throws {
        var limits = ServiceLimits()
        limits.callsInFlight = 3
        var generator = SeededGenerator()
        let bench = try ServiceBench(way, cards: [try FlowBench(using: &generator)], limits: limits)
        let client = try await bench.client()
        // Each waits for a card that is not there.
        let waiting = (0..<3).map { _ in client.begin("card.prove", #"{"card":"ZZZZZ","wait_s":3600}"#) }
        let failure = try await client.failure("version")
        #expect(failure["code"] == .integer(-32_001))
        #expect(failure["message"]?.string?.contains("At most 3 calls") == true)
        // Another one is not concerned.
        _ = try await bench.client().call("version")
        // There is room to cancel: one that waits for its turn, and the first one, which waits for a card.
        client.send(#"{"jsonrpc":"2.0","method":"cancel","params":{"call":\#(waiting[2])}}"#)
        #expect(try await client.answer(to: waiting[2])["error"]?["data"]?["code"] == .string("interrupted"))
        #expect(try await client.call("cancel", #"{"call":\#(waiting[0])}"#)["cancelled"] == .bool(true))
        #expect(try await client.answer(to: waiting[0])["error"]?["data"]?["code"] == .string("interrupted"))
        client.close()
    }

    @Test func onlySoManyClientsAreServedAtOnce() async throws {
        var limits = ServiceLimits()
        limits.clientCount = 2
        let bench = try ServiceBench(.socket, limits: limits)
        let clients = [try await bench.client(), try await bench.client()]
        for client in clients { _ = try await client.call("version") }
        let third = try await bench.client()
        #expect(await third.next()?["error"]?["message"] == .string("At most 2 programs can be connected at once."))
        #expect(await third.next() == nil)
        clients[0].close()
        #expect(await clients[0].next() == nil)
        // Its place is free as soon as the service knows that it is gone.
        while try await bench.client().next(to: "version") == nil {}
    }

    /// What a call does ends when its caller says so.
    @Test(arguments: Way.allCases)
    private func aCallIsCancelled(_ way: Way) async throws {
        var generator = SeededGenerator()
        let bench = try ServiceBench(way, cards: [try FlowBench(using: &generator)])
        let client = try await bench.client()
        let first = client.begin("card.prove", #"{"card":"ZZZZZ","wait_s":3600}"#)
        // Once it asks for a card, it is at work, and the second one waits for its turn.
        var message = await client.next()
        while message?["method"] != .string("notice") { message = await client.next() }
        #expect(message?["params"]?["call"] == .integer(first))
        let second = client.begin("card.prove", #"{"wait_s":3600}"#)
        #expect(try await client.call("cancel", #"{"call":\#(first)}"#)["cancelled"] == .bool(true))
        #expect(try await client.answer(to: first)["error"]?["data"]?["code"] == .string("interrupted"))
        #expect(try await client.answer(to: second)["result"]?["product"] == .string("tapsigner"))
        #expect(try await client.call("cancel", #"{"call":\#(first)}"#)["cancelled"] == .bool(false))
    }
}

extension TestClient {
    /// The next answer to a call; `nil` if the service ends the connection, or has no room.
    fileprivate func next(to method: String) async throws -> JSONValue? {
        begin(method)
        return await next()?["result"]
    }
}
