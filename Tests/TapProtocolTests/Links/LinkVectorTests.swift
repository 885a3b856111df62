import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

/// The published links, and those made from them.
@Suite struct LinkVectorTests {
    @Test func everyRowIsThere() throws {
        let kinds: Set = ["url", "url_digest", "url_invalid", "url_forged", "url_tolerated"]
        let counts = try Vectors.load("coinkite/cktap.json", kinds: kinds).countsByKind
        #expect(counts == ["url": 14, "url_digest": 1, "url_invalid": 11, "url_forged": 5, "url_tolerated": 3])
    }

    @Test func validLinks() throws {
        for row in try CardVectors.rows("url") {
            let link = try TapLink(verifying: row.text("url"))
            #expect(link.text == (try row.text("url")), "\(row)")
            #expect(link.state.rawValue == (try row.text("state")), "\(row)")
            #expect(link.publicKey.description == (try row.text("public_key")), "\(row)")
            #expect(Hex.encode(link.nonce) == (try row.text("nonce")), "\(row)")
            if try row.text("product") == "SATSCARD" {
                #expect(link.product == .satscard && link.ident == nil)
                #expect(link.slot?.index == (try row.number("slot")), "\(row)")
                #expect(link.address?.description == (try row.text("address")), "\(row)")
                #expect(link.address?.network == (try row.flag("testnet") ? .test : .main), "\(row)")
            } else {
                // The fields of both signers are the same; the host says which one it is.
                #expect(link.product == (try row.text("host").hasPrefix("satschip") ? .satschip : .tapsigner))
                #expect(link.slot == nil && link.address == nil)
                #expect(link.ident?.text == (try row.text("ident")), "\(row)")
                #expect(
                    link.ident.map { _ in CardIdent.short(of: link.publicKey) } == (try row.text("card_ident")),
                    "\(row)")
            }
        }
    }

    @Test func signedTextsAndTheirKeys() throws {
        for row in try CardVectors.rows("url") {
            let product: CardProduct = try row.text("product") == "SATSCARD" ? .satscard : .tapsigner
            let fields = try LinkFields(row.text("fragment"), product: product)
            #expect(fields.signedText == (try row.text("signed_message")))
            let digest = Digest(hashing: fields.signedText.utf8)
            #expect(digest.description == (try row.text("digest")))
            let signature = try #require(ECDSASignature(compact: fields.signature))
            let keys = try #require(row["candidate_public_keys", as: [Any].self])
            for (id, key) in keys.enumerated() {
                let recovered = try? signature.recoveredKey(digest: digest, recoveryID: id)
                #expect(recovered?.description == key as? String, "\(row), recovery id \(id)")
            }
        }
        for row in try CardVectors.rows("url_digest") {
            #expect(Hex.encode(SHA256.hash(try row.text("signed_message").utf8)) == (try row.text("digest")))
        }
    }

    @Test func invalidLinks() throws {
        let errors: [String: TapLinkError] = [
            "missing_nonce": .missing(.nonce), "missing_signature": .missing(.signature),
            "missing_state": .missing(.state), "missing_address_end": .missing(.addressEnd),
            "missing_slot": .missing(.slot), "missing_ident": .missing(.ident),
            "empty_state": .badValue(.state, ""), "unknown_state": .badValue(.state, "Z"),
            "slot_not_a_number": .badValue(.slot, "xyz"), "signature_length": .badValue(.signature, "00"),
            "unknown_host": .unknownHost("example.com"),
        ]
        for row in try CardVectors.rows("url_invalid") {
            let expected = try #require(errors[try row.text("reason")], "\(row)")
            #expect(linkError(try row.text("url")) == expected, "\(row)")
            #expect(!expected.isForgery)
        }
    }

    @Test func forgedLinks() throws {
        for row in try CardVectors.rows("url_forged") {
            #expect(linkError(try row.text("url")) == .forged, "\(row)")
        }
        #expect(TapLinkError.forged.isForgery)
    }

    @Test func toleratedLinks() throws {
        for row in try CardVectors.rows("url_tolerated") {
            let same = try TapLink(verifying: row.text("same_as"))
            #expect(try TapLink(verifying: row.text("url")) == same, "\(row)")
        }
    }
}
