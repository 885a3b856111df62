import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

@Suite struct StatusTests {
    private static func content(_ what: String) throws -> ProductState {
        let key = try VectorCard.signerKey()
        switch what {
        case "SATSCARD, sealed slot": return VectorCard.satscard(active: 0, key: key.master)
        case "TAPSIGNER, key picked": return try VectorCard.tapsigner(backups: 3)
        case "SATSCHIP": return .satschip(SatschipState(key: key))
        case "TAPSIGNER, no key yet":
            return .tapsigner(TapsignerState(aesKey: StoredSecret([UInt8](0..<16))))
        case "SATSCARD, unused slot, delay":
            return .satscard(
                SatscardState(
                    slots: [SlotState](repeating: .unsealed(key.master), count: 2)
                        + [SlotState](repeating: .unused, count: 8)))
        default:
            return .satscard(SatscardState(slots: [SlotState](repeating: .unsealed(key.master), count: 10)))
        }
    }

    /// Byte for byte, but for what belongs to other cards: version, nonce, and the address in an example.
    @Test func theAnswerIsLaidOutAsPublished() throws {
        let rows = try VectorCard.rows("status_response")
        #expect(rows.count == 6)
        for row in rows {
            let what = try row.text("what")
            let isTest = what.contains("testnet")
            var core = try VectorCard.core(try Self.content(what), network: isTest ? .test : .main)
            if what.contains("delay") { core.state.authDelay = 15 }
            let answer = core.answer(toRequest: StatusHandler.request)
            guard case .map(var expected) = try CBORDecoder.decode(try row.bytes("cbor")),
                case .map(let got) = try CBORDecoder.decode(answer)
            else {
                Issue.record("\(row): no map")
                continue
            }
            expected["ver"] = .text("1.0.3")
            expected["card_nonce"] = .bytes(core.nonce)
            if expected["addr"] != nil {
                #expect(try got.string("addr").utf8.count == 27)
                expected["addr"] = got["addr"]
            }
            #expect(answer == CBOREncoder.encode(.map(expected)), "\(row) \(what)")
        }
    }

    @Test func identsAreThePublishedOnes() throws {
        for row in try VectorCard.rows("ident") {
            #expect(SimulatedCardRecord.ident(ofKey: try row.bytes("public_key")) == (try row.text("ident")))
        }
    }

    @Test func addressesAreTrimmedAsPublished() throws {
        for row in try VectorCard.rows("read_satscard") {
            let key = try #require(try? PrivateKey(SecretBytes(row.bytes("slot_private_key"))))
            let address = SlotAddress(key, row["testnet"] == true ? .test : .main)
            #expect(address.text == (try row.text("address")))
            #expect(address.trimmed == (try row.text("trimmed_address")))
        }
    }

    @Test(arguments: [(AppletVersion.v090, 9), (.v100, 9), (.v102, 10), (.v103, 10)] as [(AppletVersion, UInt64)])
    func aFullCardSaysOneOfTwoThings(version: AppletVersion, active: UInt64) throws {
        // Neither says an address: what is active is sealed or unused, never opened.
        var core = try VectorCard.core(try Self.content("all used"), version: version)
        let status = try core.run(["cmd": .text("status")])
        #expect(status["slots"] == .array([.unsigned(active), .unsigned(10)]))
        #expect(status["addr"] == nil)
    }
}
