import Bitcoin

@testable import TapProtocol

/// Tap links in pasted text, and in the content of a card's tag.
enum LinkTarget: FuzzTarget {
    static let name = "link"
    static let maximumLength = 1_024

    static func run(_ bytes: [UInt8]) throws {
        if let uri = NDEFMessage.uri(bytes) {
            expect(uri.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a tag's URI is visible ASCII")
            if let link = try? TapLink(verifying: uri) { check(link) }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        for link in LinkFinder.links(in: text) {
            let alone = "https://" + link.host.rawValue + LinkHost.path + link.fragment
            expectSame(LinkFinder.links(in: alone), [link], "a link that was found is found by itself")
        }
        if let host = LinkFinder.foreignHost(in: text) {
            expect(host.utf8.count <= 60 && LinkHost(rawValue: host) == nil, "a foreign host is short, and foreign")
        }
        check(try TapLink(verifying: text))
    }

    private static func check(_ link: TapLink) {
        let again = required("a link that was verified is verified by itself") { try TapLink(verifying: link.text) }
        expectSame(again, link, "a link is the same by itself")
        expectSame(link.nonce.count, 8, "a nonce has 8 bytes")
        switch link.subject {
        case .slot(_, let address):
            expectSame(link.product, .satscard, "only a SATSCARD has slots")
            expectSame(address.scriptPubKey, .p2wpkh(link.publicKey), "the key that signed belongs to the address")
        case .card(let ident):
            expect(link.product != .satscard, "a SATSCARD's link is about a slot")
            expectSame(ident, CardIdent(of: link.publicKey), "the key that signed belongs to the card")
        }
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        let links = try vectors.texts(in: "coinkite/cktap.json").filter { $0.contains("start#") || $0.contains("&s=") }
            .map { Array($0.utf8) }
        let messages = links.filter { $0.count < 200 }.map { link in
            let rest = Array(String(decoding: link, as: UTF8.self).replacing("https://", with: "").utf8)
            return [0xD1, 1, UInt8(rest.count + 1), UInt8(ascii: "U"), 4] + rest
        }
        return links + messages
    }
}
