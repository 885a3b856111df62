import Bitcoin
import TestSupport
import Testing

/// Payment links are read in time that grows as they do.
@Suite struct PaymentURIScalingTests {
    private static let start = "bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2?"

    private func expectLinear(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ text: (Int) -> String
    ) throws {
        try Scaling.expectLinear(what, sourceLocation: sourceLocation, input: text) { text in
            _ = try PaymentURI(parsing: text).addresses(on: .main)
        }
    }

    @Test func queries() throws {
        try expectLinear("parameters") { size in
            Self.start + (0..<size).map { "x\($0)=\($0)" }.joined(separator: "&")
        }
        try expectLinear("ampersands") { size in Self.start + String(repeating: "&", count: size) }
        try expectLinear("encoded characters") { size in
            Self.start + "label=" + String(repeating: "%C3%A4", count: size)
        }
        try expectLinear("digits of an amount") { size in
            Self.start + "amount=0." + String(repeating: "0", count: size)
        }
        try expectLinear("accents of one letter") { size in
            Self.start + "label=a" + String(repeating: "%CC%96%CC%81", count: size)
        }
    }

    @Test func whatIsRefused() throws {
        try Scaling.expectLinear("required parameters") { size in
            Self.start + (0..<size).map { "req-\($0)=" }.joined(separator: "&")
        } work: { text in
            #expect(throws: PaymentURIError.self) { try PaymentURI(parsing: text) }
        }
        try Scaling.expectLinear("letters of an address") { size in
            "bitcoin:" + String(repeating: "q", count: size)
        } work: { text in
            #expect(throws: (any Error).self) { try PaymentURI(parsing: text).addresses(on: .main) }
        }
    }
}
