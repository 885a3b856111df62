import Bitcoin
import TestSupport
import Testing

@testable import TapProtocol

@Suite struct CardFactsTests {
    @Test func idents() throws {
        let rows = try CardVectors.rows("ident")
        #expect(rows.count == 5)
        for row in rows {
            let bytes = try row.bytes("public_key")
            let ident = try #require(CardIdent(keyBytes: bytes))
            #expect(ident.text == (try row.text("ident")), "\(row.testDescription)")
            #expect(ident.short == (try row.text("url_card_ident")))
            if let key = try? PublicKey(bytes) { #expect(CardIdent(of: key) == ident) }
        }
        let invalid = try CardVectors.rows("ident_invalid")
        #expect(invalid.count == 1)
        for row in invalid { #expect(CardIdent(keyBytes: try row.bytes("public_key")) == nil) }
    }

    @Test func appletVersions() throws {
        let rows = try CardVectors.rows("applet_version")
        #expect(rows.count == 4)
        let versions = try rows.map { try #require(AppletVersion(parsing: try $0.text("version"))) }
        #expect(versions == versions.sorted())
        let first = try #require(versions.first)
        #expect(first.keepsNonceOnError && first.provesSeal)
        let early = try #require(AppletVersion(parsing: "0.9.0"))
        #expect(early < first && !early.keepsNonceOnError && !early.provesSeal)
        #expect(AppletVersion(1, 0, 10) > AppletVersion(1, 0, 9))
        #expect(AppletVersion(2, 0, 0) > AppletVersion(1, 9, 9))
        for text in ["", "1", "1.0", "1.0.0.0", "1.0.x", "1.0.-1", ".0.0", "1.0.", "1.0.0000", "१.0.0"] {
            #expect(AppletVersion(parsing: text) == nil, "\(text)")
        }
    }

    @Test func products() {
        #expect(CardProduct.allCases.map(\.displayName) == ["TAPSIGNER", "SATSCARD", "SATSCHIP"])
    }
}
