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
            #expect(key.chainCode == (try row.chainCode("chain_code")))
            #expect(Int(key.depth) == (try row.number("depth")))
            #expect(Int(key.childNumber.rawValue) == (try row.number("child_number")))
            #expect(key.parentFingerprint == .zero)
            if key.depth == 0 { #expect(key.fingerprint.description == (try row.text("xfp"))) }
            if try row.text("parent_fingerprint") == "00000000" { #expect(key.text == (try row.text("xpub"))) }
        }
    }

    /// What counts are the key and the chain code: the rest is written anew, as it must be at the asked path.
    @Test func depthStepAndNetworkAreForms() throws {
        let right = try card.master.descendant(TestCard.path).neutered
        for beginning in [
            [0x04, 0xB2, 0x47, 0x46, 3, 0, 0, 0, 0, 0x80, 0, 0, 0],
            [0x04, 0x35, 0x87, 0xCF, 3, 0, 0, 0, 0, 0x80, 0, 0, 0],
            [0x04, 0x88, 0xB2, 0x1E, 255, 0, 0, 0, 0, 0x80, 0, 0, 0],
            [0x04, 0x88, 0xB2, 0x1E, 0, 1, 2, 3, 4, 0, 0, 0, 9],
            [UInt8](repeating: 0, count: 13),
        ] as [[UInt8]] {
            let log = TraceLog()
            let open = try OpenSession(
                answers: [
                    .map(card.status()),
                    .map([
                        "xpub": .bytes(beginning + right.serialized.dropFirst(13)),
                        "card_nonce": .bytes(TestCard.nonce(2)),
                    ]),
                ], trace: log.record)
            let key = try open.session.extendedPublicKey(master: false, cvc: cvc)
            #expect(key.publicKey == right.publicKey && key.chainCode == right.chainCode)
            #expect(key.depth == 3 && key.childNumber == TestCard.path.steps.last && key.network == .main)
            #expect(key.parentFingerprint == .zero)
            #expect(log.events.contains { if case .form("xpub", _) = $0 { true } else { false } })
        }
    }

    @Test func aKeyElsewhereIsComparedByKeyAndChainCode() throws {
        let elsewhere = [
            DerivationPath(), DerivationPath(TestCard.path.steps.dropLast()),
            DerivationPath(TestCard.path.steps.dropLast() + [ChildNumber(rawValue: 0x8000_0001)]),
        ]
        for path in elsewhere {
            let open = try OpenSession(
                .map(card.status()), .computed { [card] _ in try card.extendedKey(at: TestCard.path) },
                .computed { [card] _ in try card.extendedKey(at: path, next: TestCard.nonce(3)) })
            _ = try open.session.extendedPublicKey(master: false, cvc: cvc)
            try expectFailure(of: .extendedKey) { try open.session.extendedPublicKey(master: false, cvc: cvc) }
        }
    }

    @Test func aKeyBeforeSetupMakesNoSense() throws {
        var blank = card
        blank.path = nil
        let open = try OpenSession(
            .map(blank.status()), .computed { [card] _ in try card.extendedKey(at: TestCard.path) })
        try expectBadResponse("xpub", "xpub") { try open.session.extendedPublicKey(master: false, cvc: cvc) }
    }

    @Test func aKeyDoesNotChange() throws {
        let other = ExtendedPublicKey(
            network: .main, depth: 3, childNumber: ChildNumber(rawValue: 0x8000_0000),
            chainCode: ChainCode(repeating: 3),
            publicKey: try card.privateKey(at: TestCard.path).publicKey)
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
