import Bitcoin
import TestSupport
import Testing

@testable import TapProtocol

/// The one link in a pasted text.
@Suite struct LinkFinderTests {
    private let link: TapLink
    private let other: TapLink
    /// Without `https://`.
    private let bare: String

    init() throws {
        let urls = try CardVectors.rows("url").map { try $0.text("url") }
        link = try TapLink(verifying: try #require(urls.first))
        other = try TapLink(verifying: try #require(urls.last))
        bare = String(link.text.dropFirst(8))
    }

    @Test(arguments: [
        "LINK", " LINK ", "\n\tLINK\r\n", "<LINK>", "\"LINK\"", "'LINK'", "`LINK`", "(LINK)", "[LINK]", "“LINK”",
        "«LINK»",
        "Look: LINK.", "Is it LINK?", "LINK!", "LINK, he said", "see LINK; then", "**LINK**", "_LINK_", "url=LINK",
        "{\"url\":\"LINK\"}", "<a href=\"LINK\">here</a>", "[LINK](LINK)", "LINK LINK", "LINK\n\nLINK",
        "The card says\nLINK\nand nothing else.", "链接LINK。", "LINK\nabcdef0123", "LINK\u{200B}", "LINK\u{A0}yes",
        "https://example.com/ LINK https://example.com/start", "a\u{0}LINK\u{0}b",
    ])
    func rubbishDoesNoHarm(text: String) throws {
        let pasted = text.replacing("LINK", with: link.text)
        #expect(try TapLink(verifying: pasted) == link)
        if text.utf8.allSatisfy({ $0 < 0x80 }), !text.hasPrefix("_") {
            #expect(try TapLink(verifying: text.replacing("LINK", with: bare)) == link)
        }
    }

    @Test(arguments: ["\n", "\r\n", " \n", "\n    ", "\r", "\n\n"])
    func lineBreaksInTheLinkDoNoHarm(lineBreak: String) throws {
        for width in [1, 7, 20, 39, 40, 72, 79, 80] {
            var lines: [String] = []
            var rest = Substring(link.text)
            while !rest.isEmpty {
                lines.append(String(rest.prefix(width)))
                rest = rest.dropFirst(width)
            }
            let wrapped = lines.joined(separator: lineBreak)
            #expect(try TapLink(verifying: wrapped) == link, "\(width)")
            #expect(try TapLink(verifying: "Here:\n\(wrapped)\nThanks, abcdef") == link, "\(width)")
        }
    }

    @Test(arguments: [
        "https://getsatscard.com", "http://getsatscard.com", "getsatscard.com", "https://satscard.com",
        "satscard.com", "https://www.getsatscard.com", "www.satscard.com", "HTTPS://GETSATSCARD.COM", "GetSatscard.com",
    ])
    func spellingsOfTheHost(host: String) throws {
        let found = try TapLink(verifying: host + bare.dropFirst("getsatscard.com".count))
        #expect(found.meaning == link.meaning)
        #expect(
            found.text == (host.lowercased().contains("get") ? link.text : "https://satscard.com\(bare.dropFirst(15))"))
    }

    @Test(arguments: [
        "https://getsatscard.com.example.com", "https://xgetsatscard.com", "https://evil-satscard.com",
        "https://evil.satscard.com", "https://example.com/satscard.com", "https://example.com@satscard.com",
        "https://gettapsigner.com", "ftp://satscard.com", "https://satscard.com:443", "https://satscard.com.",
        "éatscard.com", "égetsatscard.com", "https://satscard.org",
    ])
    func otherHostsAreRefused(host: String) {
        switch linkError(host + bare.dropFirst("getsatscard.com".count)) {
        case .noLink: break
        case .unknownHost(let name): #expect(host.hasSuffix(name) && LinkHost(rawValue: name) == nil)
        case let other: Issue.record("\(host): \(String(describing: other))")
        }
    }

    @Test(arguments: [
        "", " ", "hello", "https://getsatscard.com", "https://getsatscard.com/start", "u=S&o=0", "#", "\u{0}",
    ])
    func noLink(text: String) { #expect(linkError(text) == .noLink) }

    @Test func differentLinksAreRefused() {
        #expect(linkError("\(link.text) \(other.text)") == .severalLinks)
        #expect(linkError("\(link.text)\n\(other.text)") == .severalLinks)
        #expect(linkError("\(link.text) or https://tapsigner.com/start#") == .severalLinks)
        #expect(linkError("https://getsatscard.com/start#\n\(link.text)") == .severalLinks)
    }

    @Test func aBareLinkProvesNothing() {
        for text in ["LINK", "LINK\nThat is all.", "<LINK>", "LINK."] {
            for (host, product) in [("getsatscard.com", CardProduct.satscard), ("tapsigner.com", .tapsigner)] {
                let pasted = text.replacing("LINK", with: "https://\(host)/start#")
                #expect(linkError(pasted) == .nothingSigned(product), "\(pasted)")
            }
        }
    }

    @Test func longTextsAreRefusedOrReadInLinearTime() {
        let room = TapLink.maximumTextLength - link.text.utf8.count
        #expect(throws: Never.self) { try TapLink(verifying: String(repeating: " ", count: room) + link.text) }
        #expect(linkError(String(repeating: " ", count: room + 1) + link.text) == .tooLong)
        for part in ["https://", "s\n", "tapsigner.com/start#", "tapsigner.com/start#a\n", "/start#", "é"] {
            let text = String(repeating: part, count: TapLink.maximumTextLength / part.utf8.count)
            #expect(linkError(text) != nil)
        }
    }
}
