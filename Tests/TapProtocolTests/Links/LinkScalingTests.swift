import TestSupport
import Testing

@testable import TapProtocol

/// Texts are looked through for links, and tags read, in time that grows as they do.
@Suite struct LinkScalingTests {
    @Test func textsWithLinks() throws {
        let samples: [(String, (Int) -> String)] = [
            ("letters", { _ in "h" }), ("beginnings", { _ in "https://www.tapsigner.com/start" }),
            ("links", { "tapsigner.com/start#u=S&c=\($0)&s=0 " }),
            ("one link", { _ in "tapsigner.com/start#u=S&s=0 " }),
            ("lines of one link", { $0 == 0 ? "tapsigner.com/start#u" : "\n&c=0" }),
            ("letters of one link", { $0 == 0 ? "tapsigner.com/start#u" : "abc" }),
            ("line breaks", { _ in "\n" }), ("white space", { _ in " \n\t" }),
            ("links elsewhere", { _ in "example.com/start#" }), ("hosts", { $0 == 0 ? "/start#" : "a." }),
        ]
        for (what, piece) in samples {
            try Scaling.expectLinear(what) { size in
                (0..<size).map(piece).joined()
            } work: { text in
                #expect(LinkFinder.links(in: text).count <= text.utf8.count)
                #expect(LinkFinder.foreignHost(in: text)?.utf8.count ?? 0 <= 60)
            }
        }
    }

    @Test func fragments() throws {
        for (what, piece) in [
            ("fields", "&x=1"), ("ampersands", "&"), ("equals signs", "="), ("letters", "a"),
            ("digits of a signature", "&s=" + String(repeating: "0", count: 128)),
        ] {
            try Scaling.expectLinear("\(what) of a link") { size in
                "u=S&c=0000000000000000&n=0000000000000000" + String(repeating: piece, count: size)
            } work: { fragment in
                #expect(throws: TapLinkError.self) { try LinkFields(fragment, product: .tapsigner) }
            }
        }
        // More than that is refused unread.
        let most = TapLink.maximumTextLength
        try Scaling.expectLinear("texts that are too long", from: most + 1, upTo: 8 * most) { size in
            String(repeating: "tapsigner.com/start# ", count: size)
        } work: { text in
            #expect(throws: TapLinkError.tooLong) { try TapLink(verifying: text) }
        }
    }

    @Test func tags() throws {
        // A million bytes are read in the time in which a busy processor's caches make the double dearer.
        try Scaling.expectLinear("bytes of a tag", upTo: 1 << 24) { size in
            let length = UInt32(size + 1)
            var bytes: [UInt8] = [0xC1, 1]
            bytes += withUnsafeBytes(of: length.bigEndian) { Array($0) }
            bytes += [0x55, 4]
            return bytes + [UInt8](repeating: 0x61, count: size)
        } work: { message in
            #expect(NDEFMessage.uri(message) != nil)
        }
    }
}
