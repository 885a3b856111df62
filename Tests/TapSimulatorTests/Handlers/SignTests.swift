import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

@Suite struct SignTests {
    @Test func answersThePublishedRequests() throws {
        let rows = try VectorCard.rows("sign_command")
        #expect(rows.count == 4)
        for row in rows {
            var core = try VectorCard.core(try VectorCard.tapsigner(), nonce: try row.bytes("card_nonce"))
            let answer = try core.run(try row.bytes("request_cbor"))
            #expect(answer["slot"] == .unsigned(0))
            #expect(try answer.content("pubkey") == row.bytes("pubkey"))
            let signature = try #require(ECDSASignature(compact: try answer.content("sig")))
            #expect(try row.publicKey("pubkey").isValid(signature, for: try row.digest("digest")))
            #expect(signature.hasLowR && signature.hasLowS)
        }
    }

    @Test func refusesBadArguments() throws {
        let core = try VectorCard.core(try VectorCard.tapsigner())
        let app = try AppSide(SimulatedCard(state: core.state, file: nil, waitDuration: .zero))
        let digest = ["digest": LifeCycleTests.chainCode]
        var bad = try VectorCard.rows("subpath_invalid").map { try $0.numbers("indexes") }
        bad += [[0x8000_0000], [0, 0xFFFF_FFFF], [0x1_0000_0000]]
        for subpath in bad {
            let answer = try app.sendWithCVC(
                "sign", ["subpath": .array(subpath.map(CBORValue.unsigned))], hidden: digest)
            #expect(answer.errorCode == 400, "\(subpath)")
        }
        #expect(try app.sendWithCVC("sign", ["slot": .unsigned(1)], hidden: digest).errorCode == 400)
        #expect(try app.sendWithCVC("sign", ["subpath": .null], hidden: digest).errorCode == 400)
        #expect(try app.sendWithCVC("sign", hidden: ["digest": [1, 2, 3]]).errorCode == 400)
        #expect(try app.sendWithCVC("sign").errorCode == 400)
        #expect(try app.send("sign", ["digest": .bytes(LifeCycleTests.chainCode)]).errorCode == 403)
        #expect(try app.sendWithCVC("sign", ["subpath": .array([])], hidden: digest).errorCode == nil)
    }

    @Test func everySignatureIsAnother() throws {
        let core = try VectorCard.core(try VectorCard.tapsigner())
        let app = try AppSide(SimulatedCard(state: core.state, file: nil, waitDuration: .zero))
        let signatures = try (0..<10).map { _ in
            try app.sendWithCVC("sign", hidden: ["digest": LifeCycleTests.chainCode]).content("sig")
        }
        #expect(Set(signatures).count == 10)
    }
}
