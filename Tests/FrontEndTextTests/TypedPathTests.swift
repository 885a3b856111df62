import Bitcoin
import Testing

@testable import FrontEndText

/// Paths as people type them.
@Suite struct TypedPathTests {
    @Test func aPath() throws {
        #expect(try DerivationPath(typed: "84'/0h/0H") == DerivationPath(parsing: "m/84h/0h/0h"))
    }

    @Test(arguments: ["x", "m/-1", "m//1"]) func whatIsNoneIsToldInOneLine(_ text: String) {
        #expect(throws: NoPath(text: text)) { try DerivationPath(typed: text) }
        let error = NoPath(text: text + "\n")
        #expect(error.message == "“\(text)\u{FFFD}” is not a derivation path." && error.code == .badPath)
        #expect(error.remedy == "For example m/84h/0h/0h, or m/84h/1h/0h on test networks.")
    }
}
