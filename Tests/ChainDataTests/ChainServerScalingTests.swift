import TestSupport
import Testing

@testable import ChainData

/// Names of chain servers are read in time that grows as they do.
@Suite struct ChainServerScalingTests {
    private static let pieces = [
        ("letters", "x"), ("colons", ":"), ("points", "."), ("at signs", "@"), ("brackets", "["),
        ("percent signs", "%"), ("encoded letters", "%41"), ("fields", "&x=1"), ("digits", "1"), ("spaces", " "),
        ("line ends", "\r\n"),
    ]

    @Test(arguments: pieces) func names(_ what: String, _ piece: String) throws {
        for start in ["", "electrum:", "electrum:h:5", "esplora:https://", "core:http://h?cookie="] {
            try Scaling.expectLinear("\(what) behind “\(start)”", from: 256, upTo: 1 << 14) { size in
                start + String(repeating: piece, count: size)
            } work: { text in
                _ = try? ChainServer(parsing: text).description
            }
        }
    }

    @Test func cookieFiles() throws {
        try Scaling.expectLinear("letters of a cookie file's path", from: 256, upTo: 1 << 16) { size in
            "core:http://h?cookie=/" + String(repeating: "x", count: size)
        } work: { text in
            let server = try ChainServer(parsing: text)
            #expect(server.description == "core:http://h")
        }
    }
}
