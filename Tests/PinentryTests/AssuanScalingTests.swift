import TestSupport
import Testing

@testable import Pinentry

/// Lines from and to a pinentry take time that grows as they do. Their lengths and their number have bounds.
@Suite struct AssuanScalingTests {
    @Test func answers() throws {
        for (what, start, piece) in [
            ("data", "D ", "x"), ("remarks", "# ", "x"), ("words of an error", "ERR 1 ", "x "), ("spaces", "ERR ", " "),
            ("letters", "", "x"), ("accents", "ERR 1 a", "\u{301}\u{316}"),
        ] {
            try Scaling.expectLinear(what) { size in
                Array((start + String(repeating: piece, count: size)).utf8)
            } work: { line in
                line.withUnsafeBytes { _ = AssuanAnswer($0) }
            }
        }
    }

    @Test func commands() throws {
        for piece in ["x", "%", "é", "a\u{301}\u{316}"] {
            try Scaling.expectLinear("letters \(piece)") { size in
                String(repeating: piece, count: size)
            } work: { text in
                #expect(AssuanCommand("SETDESC", text).line.count <= AssuanCommand.maximumLength)
            }
        }
    }
}
