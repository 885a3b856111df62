import Bitcoin
import TestSupport
import Testing

/// Paths are read in time that grows as they do.
@Suite struct DerivationPathScalingTests {
    private func texts(
        _ what: String, from start: Int = 64, upTo most: Int = 1 << 16, isPath: Bool,
        sourceLocation: SourceLocation = #_sourceLocation, _ text: (Int) -> String
    ) throws {
        for dialect in [DerivationPath.Dialect.common, .card] {
            try Scaling.expectLinear(
                "\(what), \(dialect)", from: start, upTo: most, sourceLocation: sourceLocation, input: text
            ) { text in
                let path = try? DerivationPath(parsing: text, dialect: dialect)
                #expect((path != nil) == isPath, sourceLocation: sourceLocation)
            }
        }
    }

    @Test func steps() throws {
        try texts("steps", from: 8, upTo: 255, isPath: true) { "m" + String(repeating: "/2147483647h", count: $0) }
        try texts("steps that are too many", isPath: false) { "m" + String(repeating: "/0h", count: $0 + 255) }
        try texts("slashes", isPath: false) { String(repeating: "/", count: $0) }
        for (what, piece) in [
            ("zeros", "0"), ("digits", "7"), ("hexadecimal digits", "f"), ("marks", "h"), ("letters", "x"),
            ("flags", "\u{1F1E6}\u{1F1F9}"), ("families", "\u{1F468}\u{200D}"),
            ("conjuncts", "\u{915}\u{94D}"), ("line ends", "\r\n"),
        ] {
            // A number may begin with as many zeros as one likes.
            let isPath = piece == "0"
            try texts("\(what) of a step", isPath: isPath) { "m/0" + String(repeating: piece, count: $0) }
            try texts("\(what) before a mark", isPath: isPath) { "m/0" + String(repeating: piece, count: $0) + "h" }
            try texts("\(what) of a hexadecimal step", isPath: false) { "m/g0x" + String(repeating: piece, count: $0) }
        }
    }

    /// What is done with paths that were read.
    @Test func whatIsMadeOfThem() throws {
        try Scaling.expectLinear("steps that are written", from: 8, upTo: 255) { size in
            try DerivationPath(parsing: "m" + String(repeating: "/2147483647h", count: size))
        } work: { path in
            #expect(path.description.utf8.count == 1 + 12 * path.steps.count)
            #expect(path.splitAtFirstNormalStep?.normal.steps.isEmpty == true)
        }
    }
}
