import Foundation
import TestSupport
import Testing

@testable import Bitcoin

/// The types of expressions that a formal model of miniscript, written in Alloy independently of every program, gives them:
/// kind, arguments, and what is known of malleability. Expressions without a type are none.
@Suite struct AlloyTypeTests {
    private static let file = LedgeredFile.alloyTypes

    @Test func typesAreThoseOfTheModel() throws {
        var ledger = try VectorLedger(Self.file)
        var malleableChoices = 0
        let text = String(decoding: try Vectors.contents(Self.file.path), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            let expression = try Self.expression(columns[0])
            var expected = columns.count > 1 ? String(columns[1]) : ""
            let found = expression?.type.letters() ?? ""
            // BIP-379 calls every `or_b` expressive, Bitcoin Core one whose parts are. That differs only of what is malleable.
            if found != expected, columns[0].contains("or_b("), !expected.contains("m") {
                malleableChoices += 1
                expected.removeAll { $0 == "e" }
            }
            ledger.enter("\(columns[0])", found, expected: expected)
        }
        ledger.close(count: 12_800)
        #expect(malleableChoices == 245)
    }

    /// In the file, letters stand for keys, and `H1` to `H3` for hashes.
    private static func expression(_ text: Substring) throws -> Miniscript<String>? {
        var text = String(text)
        for number in 1...3 {
            text = text.replacing("(H\(number))", with: "(\(String(repeating: "0\(number)", count: 32)))")
        }
        return try? Miniscript(parsing: text[...]) { String($0) }
    }
}
