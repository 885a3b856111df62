import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

@Suite struct NonceTests {
    @Test(arguments: AppletVersion.allCases) func aFailedCommandKeepsTheNonceFrom100(
        version: AppletVersion
    ) throws {
        var core = try VectorCard.core(try VectorCard.tapsigner(), version: version)
        let before = core.nonce
        #expect(try core.run(["cmd": .text("check")]).errorCode == 400)
        #expect((core.nonce == before) == (version != .v090))
    }

    @Test(arguments: AppletVersion.allCases) func anUnluckySignatureCanBeAskedForAgain(
        version: AppletVersion
    ) throws {
        var options = SimulatedCardOptions(product: .tapsigner)
        options.version = version
        options.unluckyPercent = 100
        let app = try AppSide(options)
        _ = try app.sendWithCVC("new", ["chain_code": .bytes(LifeCycleTests.chainCode)])
        var request = try app.authenticated("sign")
        request["digest"] = .bytes(app.reveal(LifeCycleTests.chainCode))
        #expect(try app.send("sign", request).errorCode == 205)
        #expect(try app.send("sign", request).errorCode == (version == .v090 ? 401 : 205))
    }

    @Test func everyAnswerWithANonceBringsAFreshOne() throws {
        let app = try AppSide(SimulatedCardOptions(product: .tapsigner))
        var seen: Set<[UInt8]> = [app.cardNonce]
        for _ in 0..<20 {
            #expect(seen.insert(try app.send("status").content("card_nonce")).inserted)
            #expect(seen.insert(try app.sendWithNonce("check").content("card_nonce")).inserted)
        }
    }

    @Test(arguments: ["certs", "nfc", "wait"]) func someCommandsLeaveTheNonce(name: String) throws {
        var core = try VectorCard.core(try VectorCard.tapsigner())
        let before = core.nonce
        #expect(try core.run(["cmd": .text(name)])["card_nonce"] == nil)
        #expect(core.nonce == before)
    }

    @Test func certsOf090CarryTheNonceInForce() throws {
        var core = try VectorCard.core(try VectorCard.tapsigner(), version: .v090)
        let before = core.nonce
        #expect(try core.run(["cmd": .text("certs")])["card_nonce"] == .bytes(before))
        #expect(core.nonce == before)
    }

    /// A nonce changes only where the answer tells the new one.
    @Test func aRefusedDumpKeepsTheNonce() throws {
        let app = try AppSide(SimulatedCardOptions(product: .satscard))
        #expect(try app.send("dump", ["slot": .unsigned(99)]).errorCode == 400)
        let request = try app.authenticated("dump", ["slot": .unsigned(0)])
        #expect(try app.send("dump", request).errorCode == nil)
        #expect(try app.send("dump", request).errorCode == 401)
    }

    @Test func powerLossChangesTheNonce() throws {
        let app = try AppSide(SimulatedCardOptions(product: .tapsigner))
        let request = try app.authenticated("wait")
        let nonce = app.cardNonce
        try app.tap()
        #expect(app.cardNonce != nonce)
        #expect(try app.send("wait", request).errorCode == 401)
    }
}
