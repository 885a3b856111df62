import Bitcoin
import TestSupport
import Testing

@Suite struct DerivationPathTests {
    private static let file = "coinkite/cktap.json"

    @Test func readsTheCardMakersPaths() throws {
        let rows = try Vectors.load(Self.file, kinds: ["path"])
        #expect(rows.count == 11)
        for row in rows {
            let path = try DerivationPath(parsing: try row.text("text"), dialect: .card)
            #expect(path == (try row.path()), "\(row.testDescription)")
            #expect(path.description == (try row.text("normal_text")), "\(row.testDescription)")
            #expect(path.steps.allSatisfy(\.isHardened) == (try row.flag("all_hardened")))
            #expect(path.steps.allSatisfy { !$0.isHardened } == (try row.flag("none_hardened")))
        }
    }

    @Test func refusesInvalidPaths() throws {
        let rows = try Vectors.load(Self.file, kinds: ["path_invalid"])
        #expect(rows.count == 7)
        for row in rows {
            for dialect in [DerivationPath.Dialect.common, .card] {
                let path = try? DerivationPath(parsing: try row.text("text"), dialect: dialect)
                if try row.text("reason") == "hardened_after_unhardened" {
                    #expect(path != nil && path?.splitAtFirstNormalStep == nil, "\(row.testDescription)")
                } else {
                    #expect(path == nil, "\(row.testDescription)")
                }
            }
        }
    }

    @Test func theBackupsPathText() throws {
        let rows = try Vectors.load(Self.file, kinds: ["backup_path_text"])
        #expect(rows.count == 1)
        for row in rows {
            #expect(try DerivationPath(parsing: row.text("text"), dialect: .card) == row.path())
            #expect(throws: DerivationPath.ParsingError.self) { try DerivationPath(parsing: try row.text("text")) }
        }
    }

    @Test(arguments: [
        ("", DerivationPath.ParsingError.emptyStep), ("m/", .emptyStep), ("/", .emptyStep), ("m//0", .emptyStep),
        ("0/", .emptyStep), ("M/0", .notANumber("M")), ("m/h", .notANumber("h")), ("m/0hh", .notANumber("0hh")),
        ("m/+1", .notANumber("+1")), ("m/ 1", .notANumber(" 1")), ("m/1p", .notANumber("1p")),
        ("m/0x10", .notANumber("0x10")), ("m/١", .notANumber("١")), ("m/2147483648", .outOfRange("2147483648")),
        ("m/99999999999999999999h", .outOfRange("99999999999999999999h")),
    ])
    func namesWhatIsWrong(text: String, error: DerivationPath.ParsingError) {
        #expect(throws: error) { try DerivationPath(parsing: text) }
    }

    @Test func hexadecimalHasLimitsToo() {
        for text in ["m/0x", "m/0xh", "m/0xg1", "m/0x+1", "m/0x80000000", "m/0x0x1", "m/0xＦ"] {
            #expect(throws: DerivationPath.ParsingError.self) { try DerivationPath(parsing: text, dialect: .card) }
        }
    }

    @Test func atMost255Steps() throws {
        let longest = "m" + String(repeating: "/0", count: 255)
        #expect(try DerivationPath(parsing: longest).steps.count == 255)
        #expect(throws: DerivationPath.ParsingError.tooLong) { try DerivationPath(parsing: longest + "/0") }
    }

    @Test func splitsWhereHardeningEnds() throws {
        let split = try #require(try DerivationPath(parsing: "m/84h/0h/0h/1/7").splitAtFirstNormalStep)
        #expect(split.hardened.description == "m/84h/0h/0h" && split.normal.description == "m/1/7")
        #expect(split.hardened.appending(split.normal).description == "m/84h/0h/0h/1/7")
        #expect(try DerivationPath(parsing: "0/1h").splitAtFirstNormalStep == nil)
        #expect(DerivationPath().splitAtFirstNormalStep?.normal.steps == [])
    }

    @Test func stepsHaveTheirRange() {
        #expect(ChildNumber.normal(0x7FFF_FFFF)?.rawValue == 0x7FFF_FFFF)
        #expect(ChildNumber.hardened(0x7FFF_FFFF)?.rawValue == 0xFFFF_FFFF)
        #expect(ChildNumber.normal(0x8000_0000) == nil && ChildNumber.hardened(0x8000_0000) == nil)
    }
}
