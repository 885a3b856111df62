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

    @Test func failureAndNonsenseAreBadResponses() throws {
        let answers: [(CBORMap, String)] = [
            (["success": .bool(false), "auth_delay": .unsigned(1)], "success"),
            (["success": .bool(true)], "auth_delay"), (["auth_delay": .unsigned(0)], "success"),
            (["success": .bool(true), "auth_delay": .unsigned(1_000_000)], "auth_delay"),
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
