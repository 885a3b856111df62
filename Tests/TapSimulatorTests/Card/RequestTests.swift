import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

@Suite struct RequestTests {
    @Test func theErrorsAreThePublishedOnes() throws {
        let published = try VectorCard.rows("error")
        #expect(published.count == CardFault.all.count)
        for row in published {
            let code = try #require(row["code", as: Int.self])
            #expect(CardFault.all.contains(CardFault(code: UInt64(code), text: try row.text("text"))), "\(row)")
        }
        let body = try VectorCard.rows("error_body")[0]
        #expect(CBOREncoder.encode(.map(CardFault.badAuth.answer)) == (try body.bytes("cbor")))
    }

    @Test func whatIsNoMapIsBadCBOR() throws {
        let app = try AppSide(SimulatedCardOptions(product: .tapsigner))
        let bad: [[UInt8]] = [
            [], [0x00], [0xFF], [0x80], [0xA1], [0xA1, 0x63], Array("text".utf8),
            [0xA1, 0x63] + Array("cmdfstatus".utf8) + [0x00],  // trailing byte
            [0xA2, 0x63] + Array("cmdfstatus".utf8) + [0x63] + Array("cmdfstatus".utf8),  // key twice
            [0xBF, 0x63] + Array("cmdfstatus".utf8) + [0xFF],  // map of indefinite length
            [0xA1, 0x63] + Array("cmd".utf8) + [0x7F, 0x66] + Array("status".utf8) + [0xFF],
        ]
        for request in bad { #expect(try app.send(raw: request).errorCode == 422, "\(Hex.encode(request))") }
    }

    @Test func aPathOfIndefiniteLengthIsBadCBOR() throws {
        let app = try AppSide(SimulatedCardOptions(product: .tapsigner))
        let head = [0xA2, 0x63] + Array("cmdfderive".utf8) + [0x64] + Array("path".utf8)
        #expect(try app.send(raw: head + [0x9F, 0x1A, 0x80, 0, 0, 0x54, 0xFF]).errorCode == 422)
        #expect(try app.send(raw: head + [0x81, 0x1A, 0x80, 0, 0, 0x54]).errorCode == 403)
        // A long head is no indefinite one, nor is a string that looks like one.
        #expect(try app.send(raw: head + [0x98, 0x01, 0x1A, 0x80, 0, 0, 0x54]).errorCode == 403)
        #expect(try app.send(raw: head + [0x44, 0x9F, 0xBF, 0x5F, 0xFF]).errorCode == 403)
    }

    @Test func theCommandMustBeNamed() throws {
        let app = try AppSide(SimulatedCardOptions(product: .tapsigner))
        #expect(try app.send(raw: [0xA0]).errorCode == 400)
        #expect(try app.send(raw: CBOREncoder.encode(.map(["cmd": .null]))).errorCode == 400)
        #expect(try app.send("Status").errorCode == 404)
        #expect(try app.send("").errorCode == 404)
    }

    @Test func productsKnowTheirOwnCommands() throws {
        let both = ["status", "certs", "check", "new", "read", "derive", "sign", "wait", "nfc"]
        let signers = ["change", "xpub"]
        let known: [SimulatedProduct: [String]] = [
            .tapsigner: both + signers + ["backup"], .satschip: both + signers, .satscard: both + ["unseal", "dump"],
        ]
        let all = Set(known.values.joined())
        for (product, names) in known {
            let app = try AppSide(SimulatedCardOptions(product: product))
            for name in all {
                #expect((try app.send(name).errorCode == 404) == !names.contains(name), "\(product) \(name)")
            }
        }
    }

    @Test func unknownArgumentsAreIgnored() throws {
        let app = try AppSide(SimulatedCardOptions(product: .tapsigner))
        #expect(try app.send("status", ["colour": .text("green")]).errorCode == nil)
    }

    @Test func noncesAreSixteenUnequalBytes() throws {
        let app = try AppSide(SimulatedCardOptions(product: .tapsigner))
        for (nonce, code) in [
            ([UInt8](repeating: 7, count: 16), 417), ([UInt8](0..<15), 400), ([UInt8](0..<17), 400), ([], 400),
        ] as [([UInt8], UInt64)] {
            #expect(try app.send("check", ["nonce": .bytes(nonce)]).errorCode == code)
        }
        #expect(try app.send("check", ["nonce": .null]).errorCode == 400)
        #expect(try app.send("check", ["nonce": .bytes([0] + [UInt8](repeating: 7, count: 15))]).errorCode == nil)
    }

    /// The published requests carry no nonce of ours, so authenticated ones are refused for that and nothing else.
    @Test func thePublishedRequestsAreUnderstood() throws {
        for row in try VectorCard.rows("request") {
            let name = try row.text("cmd")
            let isForSatscard = ["unseal", "dump"].contains(name)
            let content =
                isForSatscard
                ? VectorCard.satscard(active: 3, key: try VectorCard.signerKey().master)
                : try VectorCard.tapsigner()
            var core = try VectorCard.core(content)
            let answer = core.answer(toAPDU: try row.bytes("apdu"))
            #expect(answer.suffix(2) == [0x90, 0x00])
            guard case .map(let map) = try CBORDecoder.decode(Array(answer.dropLast(2))) else {
                Issue.record("\(row): no map")
                continue
            }
            let fields = try #require(row["fields", as: [String: Any].self])
            let expected: UInt64? =
                fields["xcvc"] != nil ? 401 : ["read", "derive"].contains(name) ? 403 : nil
            #expect(map.errorCode == expected, "\(row) \(name)")
        }
    }
}
