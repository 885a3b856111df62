import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

@Suite struct XPubTests {
    private let cvc: CVC
    private let card: TestCard

    init() throws {
        cvc = try CVC(TestCard.cvc)
        card = try TestCard()
    }

    @Test func publishedKeys() throws {
        let rows = try CardVectors.rows("xpub_response")
        #expect(rows.count == 6)
        for row in rows {
            var status = try CardVectors.status(nonce: TestCard.firstNonce)
            if try row.text("xpub").hasPrefix("tpub") { status["testnet"] = .bool(true) }
            let open = try OpenSession(
                .map(status),
                .map(["xpub": .bytes(try row.bytes("bytes")), "card_nonce": .bytes(TestCard.nonce(2))]))
            let key = try open.session.extendedPublicKey(master: try row.flag("master"), cvc: cvc)
            #expect(key.publicKey.bytes == (try row.bytes("public_key")), "\(row.testDescription)")
            #expect(key.chainCode == (try row.bytes("chain_code")))
            #expect(Int(key.depth) == (try row.number("depth")))
            #expect(Int(key.childNumber.rawValue) == (try row.number("child_number")))
            #expect(key.parentFingerprint == .zero)
            if key.depth == 0 { #expect(key.fingerprint.description == (try row.text("xfp"))) }
            if try row.text("parent_fingerprint") == "00000000" { #expect(key.text == (try row.text("xpub"))) }
        }
    }

    @Test func depthStepAndNetworkMustFit() throws {
        let elsewhere = [
            DerivationPath(), DerivationPath(TestCard.path.steps.dropLast()),
            DerivationPath(TestCard.path.steps.dropLast() + [ChildNumber(rawValue: 0x8000_0001)]),
        ]
        for path in elsewhere {
            let open = try OpenSession(.map(card.status()), .computed { [card] _ in try card.extendedKey(at: path) })
            try expectFailure(of: .extendedKey) { try open.session.extendedPublicKey(master: false, cvc: cvc) }
        }
        var status = card.status()
        status["testnet"] = .bool(true)
        let open = try OpenSession(.map(status), .computed { [card] _ in try card.extendedKey(at: TestCard.path) })
        try expectFailure(of: .extendedKey) { try open.session.extendedPublicKey(master: false, cvc: cvc) }
    }

    @Test func aKeyBeforeSetupFails() throws {
        var blank = card
        blank.path = nil
        let open = try OpenSession(
            .map(blank.status()), .computed { [card] _ in try card.extendedKey(at: TestCard.path) })
        try expectFailure(of: .extendedKey) { try open.session.extendedPublicKey(master: false, cvc: cvc) }
    }

    @Test func aKeyDoesNotChange() throws {
        let other = try #require(
            ExtendedPublicKey(
                network: .main, depth: 3, childNumber: ChildNumber(rawValue: 0x8000_0000),
                chainCode: [UInt8](repeating: 3, count: 32),
                publicKey: try card.privateKey(at: TestCard.path).publicKey))
        let open = try OpenSession(
            .map(card.status()), .computed { [card] _ in try card.extendedKey(at: TestCard.path) },
            .map(["xpub": .bytes(other.serialized), "card_nonce": .bytes(TestCard.nonce(3))]))
        _ = try open.session.extendedPublicKey(master: false, cvc: cvc)
        try expectFailure(of: .extendedKey) { try open.session.extendedPublicKey(master: false, cvc: cvc) }
    }

    @Test func anInvalidSerializationIsABadResponse() throws {
        var bytes = card.master.neutered.serialized
        bytes[45] = 5
        for wrong in [bytes, bytes.dropLast(), []] {
            let open = try OpenSession(
                .map(card.status()), .map(["xpub": .bytes(Array(wrong)), "card_nonce": .bytes(TestCard.nonce(2))]))
            guard
                case .badResponse("xpub", "xpub", _) = try tapError(from: {
                    try open.session.extendedPublicKey(master: true, cvc: cvc)
                })
            else {
                Issue.record("Another error.")
                continue
            }
        }
    }
}
