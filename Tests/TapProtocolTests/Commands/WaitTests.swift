import ByteCodec
import Testing

@testable import TapProtocol

@Suite struct WaitTests {
    @Test func countsDown() throws {
        var delayed = try TestCard()
        delayed.authDelay = 2
        let open = try OpenSession(
            .map(delayed.status()), .map(["success": .bool(true), "auth_delay": .unsigned(1)]),
            .map(["success": .bool(true), "auth_delay": .unsigned(0)]))
        #expect(open.session.status.authDelaySeconds == 2)
        #expect(try open.session.wait() == 1)
        #expect(open.session.status.authDelaySeconds == 1)
        #expect(try open.session.wait() == 0)
        #expect(open.channel.maps(of: "wait").allSatisfy { $0["xcvc"] == nil })
    }

    @Test func aDelayThatIsNotSaidIsAskedFor() throws {
        for answer in [["success": .bool(true)], ["x": .unsigned(1)]] as [CBORMap] {
            var delayed = try TestCard()
            delayed.authDelay = 7
            let open = try OpenSession(.map(delayed.status()), .map(answer), .map(delayed.status()))
            #expect(try open.session.wait() == 7)
            #expect(open.channel.commandNames == ["select", "wait", "status"])
        }
    }

    @Test(arguments: [256, 1_000_000, UInt64(UInt32.max), .max])
    func anyDelayIsTaken(seconds: UInt64) throws {
        let open = try OpenSession(.map(try TestCard().status()), .map(["auth_delay": .unsigned(seconds)]))
        let expected = Int(min(seconds, UInt64(UInt32.max)))
        #expect(try open.session.wait() == expected)
        // Whoever waits it off counts to twice as much.
        #expect(open.session.status.authDelaySeconds.multipliedReportingOverflow(by: 2).overflow == false)
    }

    @Test func failureAndNonsenseAreBadResponses() throws {
        let answers: [(CBORMap, String)] = [
            (["success": .bool(false), "auth_delay": .unsigned(1)], "success"),
            (["success": .null, "auth_delay": .unsigned(1)], "success"),
            (["success": .bool(true), "auth_delay": .bool(true)], "auth_delay"),
            (["success": .bool(true), "auth_delay": .negative(offset: 0)], "auth_delay"),
        ]
        for (answer, field) in answers {
            let open = try OpenSession(.map(try TestCard().status()), .map(answer))
            guard case .badResponse("wait", field, _) = try tapError(from: { try open.session.wait() }) else {
                Issue.record("\(answer)")
                continue
            }
        }
    }
}
