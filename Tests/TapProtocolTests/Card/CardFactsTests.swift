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
            #expect(CardIdent(parsing: ident.text) == ident)
            if let key = try? PublicKey(bytes) {
                #expect(CardIdent(of: key) == ident)
                #expect(CardIdent.short(of: key) == (try row.text("url_card_ident")))
            }
        }
        let invalid = try CardVectors.rows("ident_invalid")
        #expect(invalid.count == 1)
        for row in invalid { #expect(CardIdent(keyBytes: try row.bytes("public_key")) == nil) }
    }

    @Test(arguments: [
        "", "ABCDE", "ABCDE-FGHIJ-KLMNO-PQRS", "ABCDE-FGHIJ-KLMNO-PQRSTU", "ABCDE-FGHIJ-KLMNO-PQRST-",
        "ABCDEFGHIJKLMNOPQRST",
        "abcde-fghij-klmno-pqrst", "ABCDE-FGHIJ-KLMNO-PQRS1", "ABCDE FGHIJ KLMNO PQRST",
        "ABCDE-FGHIJ-KLMNO-PQRS\u{301}",
        "ABCD-EFGHIJ-KLMNO-PQRST",
    ])
    func whatIsNoIdent(text: String) {
        #expect(CardIdent(parsing: text) == nil)
        #expect(CardIdent(parsing: "ABCDE-FGHIJ-KLMNO-PQR27")?.description == "ABCDE-FGHIJ-KLMNO-PQR27")
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
        for text in [
            "", "1", "1.", "1.x", ".0.0", "+1.0.3", " 1.0.3", "1..3", "1000.0.0", "१.0.0", "version 1.0.3", "v",
        ] {
            #expect(AppletVersion(parsing: text) == nil, "\(text)")
        }
    }

    @Test func whatACardCallsItsVersion() throws {
        for (text, version) in [
            ("1.0", AppletVersion(1, 0, 0)), ("v1.0.3", AppletVersion(1, 0, 3)), ("1.0.3-beta", AppletVersion(1, 0, 3)),
            ("1.0.4.1", AppletVersion(1, 0, 4)), ("V0.9", AppletVersion(0, 9, 0)), ("1.0.x", AppletVersion(1, 0, 0)),
            ("1.0.-1", AppletVersion(1, 0, 0)), ("1.0.", AppletVersion(1, 0, 0)), ("1.0.0000", AppletVersion(1, 0, 0)),
            ("1.0.12b", AppletVersion(1, 0, 12)),
        ] {
            let read = AppletVersion(cardText: text)
            #expect(read == version && read.isReadable && read.hashValue == version.hashValue, "\(text)")
            #expect(read.description == text)
            #expect(AppletVersion(parsing: read.description) == version)
        }
        let bad = AppletVersion(cardText: "\u{1B}[2Jé" + String(repeating: "x", count: 1_000))
        #expect(bad.text.hasPrefix("?[2J?xxx") && bad.text.count == AppletVersion.maximumTextLength)
        #expect(!bad.isReadable && bad.provesSeal && !bad.keepsNonceOnError)
        #expect(AppletVersion(cardText: "").description == "unknown")
        for known in [AppletVersion(0, 0, 0), AppletVersion(1, 0, 3), AppletVersion(999, 999, 999)] {
            #expect(bad > known && !(bad < known) && bad != known)
        }
    }

    @Test func products() {
        #expect(CardProduct.allCases.map(\.displayName) == ["TAPSIGNER", "SATSCARD", "SATSCHIP"])
    }
}
