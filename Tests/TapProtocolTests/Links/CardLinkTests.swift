import Bitcoin
import ByteCodec
import TapSimulator
import Testing

@testable import TapProtocol

/// The card's own link: verified, and compared with what the card says of itself.
@Suite struct CardLinkTests {
    private let card: TestCard
    private let slotKey: PrivateKey

    init() throws {
        card = try TestCard()
        slotKey = try PrivateKey(SecretBytes([UInt8](repeating: 9, count: 32)))
    }

    private func link(_ url: String, _ status: CBORMap) throws -> CardLink {
        try OpenSession(.map(status), .map(status), .map(["url": .text(url)])).session.tapLink()
    }

    /// A SATSCARD's status; `key`: the active slot's.
    private func satscard(active: UInt64, key: PrivateKey?, isTestnet: Bool = false) -> CBORMap {
        var map = card.status()
        (map["tapsigner"], map["num_backups"], map["path"]) = (nil, nil, nil)
        map["slots"] = .array([.unsigned(active), .unsigned(10)])
        if isTestnet { map["testnet"] = .bool(true) }
        if let key {
            let address = SignedLink.address(of: key, isTestnet ? .test : .main)
            map["addr"] = .text("\(address.prefix(12))___\(address.suffix(12))")
        }
        return map
    }

    @Test func aSignersLinkAgreesWithItsStatus() throws {
        var blank = card
        blank.path = nil
        for (status, state, expected) in [
            (card.status(), "S", TapLink.State.sealed), (blank.status(), "U", .unused), (card.status(), "E", .error),
        ] {
            let url = try SignedLink.signer(card.key, state: state).text
            let found = try link(url, status)
            #expect(found.url == url)
            #expect(found.proven?.state == expected && found.proven?.publicKey == card.key.publicKey)
        }
        var chip = card.status()
        chip["satschip"] = .bool(true)
        chip["num_backups"] = nil
        for host in ["satschip.com", "tapsigner.com"] {
            #expect(try link(SignedLink.signer(card.key, host: host).text, chip).proven != nil, "\(host)")
        }
    }

    @Test func aSignersLinkThatDoesNotAgreeIsAFailedProof() throws {
        var blank = card
        blank.path = nil
        let (whole, other) = (try SignedLink.signer(card.key).text, try TestCard(2).key)
        let wrong: [(String, CBORMap)] = [
            (try SignedLink.signer(other).text, card.status()),
            (whole, blank.status()),
            (try SignedLink.signer(card.key, state: "U").text, card.status()),
            (try SignedLink.signer(card.key, host: "satschip.com").text, card.status()),
            (try SignedLink.slot(card.key).text, card.status()),
            (whole, satscard(active: 0, key: slotKey)), (whole.replacing("n=0", with: "n=1"), card.status()),
        ]
        for (url, status) in wrong {
            try expectFailure(of: .link) { try link(url, status) }
        }
        // What is no link says nothing of whether the card is genuine.
        let noLinks: [(String, CBORMap)] = [
            ("https://tapsigner.com/start#", card.status()), ("https://tapsigner.com/start#", blank.status()),
            ("https://example.com/start#", card.status()), (whole + ".", card.status()),
            ("<\(whole)>", card.status()), (whole.replacing("tapsigner", with: "Tapsigner"), card.status()),
            (whole.replacing("https://", with: "https://www."), card.status()),
            (String(whole.dropLast()), card.status()),
        ]
        for (url, status) in noLinks {
            try expectBadResponse("nfc", "url") { try link(url, status) }
        }
        #expect(try link(whole, card.status()).proven != nil)
        #expect(try link(whole.replacing("https", with: "http"), card.status()).proven != nil)
    }

    @Test func aSatscardsLinkAgreesWithItsStatus() throws {
        let other = try TestCard(3).key
        let (sealed, unused) = (satscard(active: 3, key: slotKey), satscard(active: 4, key: nil))
        let right: [(SignedLink, CBORMap)] = [
            (.slot(slotKey, 3), sealed), (.slot(slotKey, 3, state: "E"), sealed), (.slot(other, 0, state: "E"), sealed),
            (.slot(slotKey, 3, state: "U"), unused), (.slot(slotKey, 3, state: "E"), unused),
            (.slot(slotKey, 3, network: .test), satscard(active: 3, key: slotKey, isTestnet: true)),
            // A full card, in every convention.
            (.slot(slotKey, 9, state: "U"), satscard(active: 9, key: nil)),
            (.slot(slotKey, 8, state: "U"), satscard(active: 9, key: nil)),
            (.slot(slotKey, 9, state: "U"), satscard(active: 10, key: nil)),
            (.slot(slotKey, 9, state: "U"), satscard(active: 9, key: slotKey)),
            (.slot(slotKey, 9), satscard(active: 9, key: slotKey)),
            (.slot(slotKey, 3, host: "satscard.com"), sealed),
        ]
        for (link, status) in right {
            let found = try self.link(link.text, status)
            #expect(found.proven?.text == (try link.text))
        }
        let wrong: [(SignedLink, CBORMap)] = [
            (.slot(slotKey, 2), sealed), (.slot(slotKey, 4), sealed), (.slot(other, 3), sealed),
            (.slot(slotKey, 3, state: "U"), sealed), (.slot(slotKey, 3), unused), (.slot(slotKey, 4), unused),
            (.slot(slotKey, 3, network: .test), sealed), (.slot(other, 3, state: "E"), sealed),
            (.slot(other, 1, state: "E"), sealed), (.slot(slotKey, 0), satscard(active: 0, key: nil)),
            (.slot(slotKey, 3), satscard(active: 3, key: slotKey, isTestnet: true)),
            (.slot(slotKey, 9), satscard(active: 9, key: nil)),
            (.slot(slotKey, 7, state: "U"), satscard(active: 9, key: nil)),
            (.slot(slotKey, 10, state: "U"), satscard(active: 10, key: nil)), (.signer(card.key), sealed),
        ]
        for (link, status) in wrong {
            try expectFailure(of: .link) { try self.link(link.text, status) }
        }
    }

    @Test func onlyAnUnusedSatscardHasABareLink() throws {
        let blank = satscard(active: 0, key: nil)
        for url in ["https://getsatscard.com/start#", "https://satscard.com/start#"] {
            let found = try link(url, blank)
            #expect(found == CardLink(url: url, proven: nil, source: .command))
            try expectBadResponse("nfc", "url") { try link(url, satscard(active: 0, key: slotKey)) }
            try expectBadResponse("nfc", "url") { try link(url, satscard(active: 1, key: nil)) }
            try expectBadResponse("nfc", "url") { try link(url + ".", blank) }
        }
        try expectBadResponse("nfc", "url") { try link("https://tapsigner.com/start#", blank) }
    }

    /// There was no SATSCHIP with the first applet.
    private static let cards = SimulatedProduct.allCases.flatMap { product in
        TapSimulator.AppletVersion.allCases.map { (product, $0) }
    }

    /// The software card's links, in every state that it can be made in.
    @Test(arguments: cards)
    func simulatedCards(product: SimulatedProduct, version: TapSimulator.AppletVersion) async throws {
        for used in product == .satscard ? Array(0...10) : [0] {
            for (isBlank, network) in [(false, SimulatedNetwork.main), (true, .test)] {
                var options = SimulatedCardOptions(product: product)
                options.seed = [5]
                options.version = version
                options.usedSlots = used
                options.isBlank = isBlank
                options.network = network
                let tap = TapCard(reader: SimulatedReader(card: try SimulatedCard(options, waitDuration: .zero)))
                try await tap.perform { session in
                    let link = try session.tapLink()
                    #expect((link.proven == nil) == (product == .satscard && used == 0 && isBlank), "\(used)")
                    guard let proven = link.proven else { return }
                    #expect(proven.product.rawValue == product.rawValue)
                    #expect(proven.address.map { $0.network == (isBlank ? .test : .main) } ?? (product != .satscard))
                    #expect(proven.ident == (product == .satscard ? nil : session.status.ident))
                }
            }
        }
    }
}
