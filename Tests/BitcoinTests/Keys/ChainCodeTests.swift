import Bitcoin
import TestSupport
import Testing

/// What stands beside a key in an extended one.
@Suite struct ChainCodeTests {
    @Test func onlyThirtyTwoBytesAreAChainCode() throws {
        for count in [0, 31, 33] { #expect(ChainCode([UInt8](repeating: 1, count: count)) == nil) }
        #expect(ChainCode([UInt8](1...32))?.bytes == [UInt8](1...32))
    }

    @Test func textIsReadAndWritten() throws {
        let text = String(repeating: "5a", count: 32)
        #expect(ChainCode(parsing: text)?.description == text && ChainCode(parsing: text) == ChainCode(repeating: 0x5A))
        #expect(ChainCode(parsing: text.uppercased()) == ChainCode(parsing: text))
        for wrong in ["", "5a", String(text.dropLast(2)), text + "00", String(text.dropLast()) + "g"] {
            #expect(ChainCode(parsing: wrong) == nil)
        }
    }

    @Test func randomOnesDiffer() {
        var generator = SeededGenerator(for: "ChainCodeTests.randomOnesDiffer")
        let codes = (0..<100).map { _ in ChainCode(using: &generator) }
        #expect(Set(codes).count == 100 && codes.allSatisfy { $0.bytes.count == ChainCode.length })
    }
}
