import TestSupport
import Testing

@testable import TapKitHWI

/// HWI's command line, and the words that come from standard input, are read in time that grows as they do.
@Suite struct HWIScalingTests {
    @Test func words() throws {
        let accents = "\u{316}\u{301}"
        for (what, start, piece) in [
            ("words", "getxpub m", " x"), ("a word", "signtx ", "x"), ("spaces", "", " "), ("quotations", "x ", "'x'"),
            ("escapes", "\"", "\\\""), ("options", "getxpub m", " --root-key 02"), ("passwords", "", "-p x "),
            ("flags", "-", "v"), ("letters of an option", "--", "x"), ("letters of a value", "--chain=", "x"),
            ("digits", "-", "1"), ("accents of a command", "getxpub", accents), ("accents of an option", "--", accents),
            ("accents of a known option", "--password", accents), ("accents of a value", "--chain=main", accents),
            ("accents of a space", "--reader -\\ ", accents),
        ] {
            try Scaling.expectLinear(what) { size in
                Array((start + String(repeating: piece, count: size)).utf8)
            } work: { line in
                guard let words = try? ShellWords.split(line) else { return }
                _ = HWIPasswords.places(in: words)
                _ = try? HWIParser.request(words)
            }
        }
    }
}
