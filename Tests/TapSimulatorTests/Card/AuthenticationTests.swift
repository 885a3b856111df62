import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

@Suite struct AuthenticationTests {
    /// Wrong, right, wrong length, …: what the card says to each.
    private func guess(_ app: AppSide, _ cvc: String) throws -> UInt64? {
        app.cvc = cvc
        return try app.sendWithCVC("xpub", ["master": .bool(true)]).errorCode
    }

    private func setUpApp(version: AppletVersion = .newest) throws -> AppSide {
        var options = SimulatedCardOptions(product: .tapsigner)
        options.version = version
        options.cvc = "314159"
        let app = try AppSide(options)
        #expect(try app.sendWithCVC("new", ["chain_code": .bytes(LifeCycleTests.chainCode)]).errorCode == nil)
        return app
    }

    @Test func revealsThePublishedCVCs() throws {
        for row in try VectorCard.rows("xcvc") {
            let key = try PrivateKey(SecretBytes(row.bytes("card_private_key")))
            let session = try SessionKey(cardKey: key, ephemeralKey: row.bytes("epubkey"))
            #expect(session.bytes.isEqual(to: SecretBytes(try row.bytes("session_key"))), "\(row)")
            let cvc = session.revealCVC(
                try row.bytes("xcvc"), cardNonce: try row.bytes("card_nonce"), command: try row.text("cmd"))
            #expect(cvc.isEqual(to: SecretBytes(try row.bytes("cvc_hex"))), "\(row)")
        }
    }

    @Test func missingAndWrongAreDifferentErrors() throws {
        let app = try setUpApp()
        #expect(try app.send("xpub", ["master": .bool(true)]).errorCode == 403)
        var half = try app.authenticated("xpub", ["master": .bool(true)])
        half["xcvc"] = nil
        #expect(try app.send("xpub", half).errorCode == 403)
        #expect(app.card.record.wrongAttempts == 0)
        #expect(try guess(app, "314158") == 401)
        #expect(app.card.record.wrongAttempts == 1)
    }

    @Test func theThirdWrongCVCCostsFifteenWaits() throws {
        let app = try setUpApp()
        #expect(try guess(app, "000000") == 401)
        #expect(try guess(app, "000001") == 401)
        #expect(try app.send("status")["auth_delay"] == nil)
        #expect(try guess(app, "000002") == 401)
        #expect(try app.send("status")["auth_delay"] == .unsigned(15))
        for left in (0..<15).reversed() {
            #expect(try guess(app, "314159") == 429)
            let answer = try app.send("wait")
            #expect(answer["success"] == .bool(true))
            #expect(answer["auth_delay"] == .unsigned(UInt64(left)))
        }
        // One try, then the delay again.
        #expect(try guess(app, "000003") == 401)
        #expect(try guess(app, "314159") == 429)
        for _ in 0..<15 { _ = try app.send("wait") }
        #expect(try guess(app, "314159") == nil)
        // And three free tries again.
        #expect(try guess(app, "000004") == 401)
        #expect(try guess(app, "000005") == 401)
        #expect(try guess(app, "314159") == nil)
        #expect(app.card.record.wrongAttempts == 0)
    }

    @Test func theDelaySurvivesPowerLoss() throws {
        let app = try setUpApp()
        for _ in 0..<3 { _ = try guess(app, "000000") }
        _ = try app.send("wait")
        try app.tap()
        #expect(try app.send("status")["auth_delay"] == .unsigned(14))
        #expect(try guess(app, "314159") == 429)
    }

    @Test func waitLooksAtACVCOnlyWithoutDelay() throws {
        let app = try setUpApp()
        app.cvc = "000000"
        #expect(try app.sendWithCVC("wait").errorCode == 401)
        app.cvc = "314159"
        #expect(try app.sendWithCVC("wait")["auth_delay"] == .unsigned(0))
        for _ in 0..<3 { _ = try guess(app, "000000") }
        #expect(try app.sendWithCVC("wait")["auth_delay"] == .unsigned(14))
        #expect(app.card.record.wrongAttempts == 3)
    }

    @Test(arguments: AppletVersion.allCases) func wrongLengthsCountFrom102(version: AppletVersion) throws {
        let app = try setUpApp(version: version)
        for _ in 0..<3 {
            #expect(try guess(app, "3141590") == 401)
            // 0.9.0 forgets the nonce with each error.
            _ = try app.send("status")
        }
        let counts = version == .v102 || version == .v103
        #expect(app.card.record.authDelay == (counts ? 15 : 0))
        #expect(try guess(app, "314159") == (counts ? 429 : nil))
    }

    @Test func impossibleFieldsAreBadArguments() throws {
        let app = try setUpApp()
        for (field, length) in [("xcvc", 5), ("xcvc", 33), ("epubkey", 32), ("epubkey", 65)] {
            var arguments = try app.authenticated("xpub", ["master": .bool(true)])
            arguments[field] = .bytes([UInt8](repeating: 2, count: length))
            #expect(try app.send("xpub", arguments).errorCode == 400, "\(field) of \(length)")
        }
        var offCurve = try app.authenticated("xpub", ["master": .bool(true)])
        offCurve["epubkey"] = .bytes([2] + [UInt8](repeating: 0xFF, count: 32))
        #expect(try app.send("xpub", offCurve).errorCode == 401)
        #expect(app.card.record.wrongAttempts == 0)
    }

    @Test func aReplayFindsAnotherNonce() throws {
        let app = try setUpApp()
        let request = try app.authenticated("xpub", ["master": .bool(true)])
        #expect(try app.send("xpub", request).errorCode == nil)
        #expect(try app.send("xpub", request).errorCode == 401)
    }

    @Test func aCVCForOneCommandIsNoneForAnother() throws {
        let app = try setUpApp()
        #expect(try app.send("backup", try app.authenticated("xpub")).errorCode == 401)
    }
}
