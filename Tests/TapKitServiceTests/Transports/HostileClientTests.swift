import ByteCodec
import FlowSupport
import TapKitService
import TapManager
import TestSupport
import Testing

/// Programs that do not behave, at the socket. Nobody else notices, and each limit is named.
@Suite struct HostileClientTests {
    private func bench(_ change: (inout ServiceLimits) -> Void = { _ in }) throws -> ServiceBench {
        var limits = ServiceLimits()
        change(&limits)
        return try ServiceBench(.socket, limits: limits)
    }

    private func message(_ answer: JSONValue?) -> String? { answer?["error"]?["message"]?.string }

    /// Confirms that another program is served.
    private func expectServed(_ bench: ServiceBench) async throws {
        #expect(try await bench.client().call("version")["version"] == .string("test"))
    }

    @Test func aHugeLineIsPassedOver() async throws {
        let bench = try bench { $0.lineLength = 1_000 }
        let client = try await bench.client()
        client.send(String(repeating: "a", count: 5_000_000))
        #expect(message(await client.next()) == "A line has at most 1000 bytes.")
        #expect(try await client.call("version")["version"] == .string("test"))
    }

    @Test func deepNestingIsRefused() async throws {
        let bench = try bench()
        let client = try await bench.client()
        client.send(String(repeating: "[", count: 1_000_000))
        #expect(message(await client.next()) == "JSON may be nested 16 levels deep; this line is deeper.")
        try await expectServed(bench)
    }

    @Test func aLineThatNeverEndsEndsTheConnection() async throws {
        let bench = try bench { $0.lineTime = .milliseconds(50) }
        let client = try await bench.client()
        client.send(bytes: Array(#"{"jsonrpc""#.utf8))
        #expect(message(await client.next())?.hasPrefix("A line must be whole within") == true)
        #expect(await client.next() == nil)
        try await expectServed(bench)
    }

    @Test func whoReadsNothingIsDisconnected() async throws {
        let bench = try bench { $0.unreadBytes = 100_000 }
        let path = bench.path
        // Sends calls without an end, and reads none of the answers.
        let flood = try await Subprocess.python(
            """
            import socket
            s = socket.socket(socket.AF_UNIX)
            s.connect(r"\(path)")
            try:
                while True:
                    s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}\\n' * 16)
            except (BrokenPipeError, ConnectionResetError):
                print("disconnected")
            """)
        #expect(try flood.succeeded().text == "disconnected\n")
        try await expectServed(bench)
    }

    /// Whoever has finished asking still gets the answers.
    @Test func aHalfClosedConnectionIsAnswered() async throws {
        let bench = try bench()
        let carrier = try SocketCarrier(bench.path)
        let client = TestClient(carrier, carrier.inbox)
        for number in 1...10 { client.send(#"{"jsonrpc":"2.0","id":\#(number),"method":"snapshot"}"#) }
        carrier.finishSending()
        var answered: Set<JSONValue?> = []
        while let answer = await client.next() { answered.insert(answer["id"]) }
        #expect(answered == Set((1...10).map { .integer($0) }))
    }

    /// Calls, and is gone before the answer: a thousand times.
    @Test func whoDiesInTheMiddleLeavesNothingBehind() async throws {
        let bench = try bench()
        for _ in 0..<1_000 {
            let carrier = try SocketCarrier(bench.path)
            carrier.send(Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"snapshot\"}\n{\"jsonrpc\"".utf8))
            carrier.close()
            // Its place is free again before the next one comes.
            while await carrier.inbox.next() != nil {}
        }
        // Some of the dead may not have been welcomed yet; until then there can be too many.
        while (try? await bench.client().call("version")) == nil { await Task.yield() }
        while !bench.processor.isIdle { await Task.yield() }
    }

    /// Ten thousand calls of sixteen programs: all are answered.
    @Test func tenThousandCallsAreAnswered() async throws {
        let bench = try bench()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                let client = try await bench.client()
                group.addTask {
                    for _ in 0..<125 {
                        let calls = (0..<5).map { _ in client.begin("version") }
                        for call in calls {
                            let answer = try await client.answer(to: call)
                            #expect(answer["result"] != nil)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

extension Subprocess {
    /// Runs a Python program.
    static func python(_ program: String) async throws -> Subprocess {
        try await run("/usr/bin/python3", ["-c", program])
    }
}
