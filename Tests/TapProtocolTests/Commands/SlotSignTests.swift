import Bitcoin
import ByteCodec
import Testing

@testable import TapProtocol

/// `sign` on a SATSCARD.
@Suite struct SlotSignTests {
    private let cvc: CVC
    private let card: TestSatscard
    private let digest = Digest(hashing: "tapkit".utf8)
    private let slot = SlotNumber(index: 1)

    init() throws {
        cvc = try CVC(TestCard.cvc)
        card = try TestSatscard(active: 2)
    }

    private func sign(_ answer: @escaping (CBORMap) throws -> CBORMap) throws -> CardSignature {
        let open = try OpenSession(.map(try card.status()), .computed(answer))
        return try open.session.sign(
            digest: digest, slot: slot, address: try Address(parsing: card.address(1), network: .main), cvc: cvc)
    }

    @Test func signsWithTheSlotsKey() throws {
        let open = try OpenSession(
            .map(try card.status()), .map(TestCard.refusal(205)),
            .computed { [card, digest] in
                #expect(try card.card.revealedDigest(in: $0) == digest)
                #expect($0["subpath"] == nil && $0["slot"] == .unsigned(1))
                return try card.signature($0, slot: 1)
            })
        let key = try card.key(1).publicKey
        let signed = try open.session.sign(
            digest: digest, slot: slot, address: try Address(parsing: card.address(1), network: .main), cvc: cvc)
        #expect(signed.publicKey == key && key.isValid(signed.signature, for: digest))
        #expect(signed.signature.hasLowR && signed.signature.hasLowS)
        #expect(open.channel.commandNames == ["select", "sign", "sign"])
        #expect(open.channel.maps(of: "sign").allSatisfy { Set($0.pairs.map(\.key)) == Self.arguments })
    }

    private static let arguments: Set<String> = ["slot", "digest", "epubkey", "xcvc", "cmd"]

    @Test func otherFormsOfTheSameSignature() throws {
        let high = try sign { [card] in
            try card.signature($0, slot: 1) { signature, _ in signature.compactWithOtherS }
        }
        #expect(high.signature.hasLowS && high.publicKey.isValid(high.signature, for: digest))
        let highR = try sign { [card] in
            try card.signature($0, slot: 1) { _, digest in try card.key(1).signatureWithHighR(digest) }
        }
        #expect(!highR.signature.hasLowR && highR.publicKey.isValid(highR.signature, for: digest))
    }

    @Test func whatNoCardMayAnswer() throws {
        try expectFailure(of: .signature) {
            try sign { [card] in
                try card.signature($0, slot: 1) { _, _ in
                    try card.key(1).signGrindingLowR(digest: Digest(hashing: [0])).compact
                }
            }
        }
        try expectFailure(of: .signature) {
            try sign { [card] in
                try card.signature($0, slot: 1) { _, digest in try card.key(0).signGrindingLowR(digest: digest).compact
                }
            }
        }
        try expectFailure(of: .signingKey) {
            try sign { [card] in try card.signature($0, slot: 1, by: card.key(0)) }
        }
    }

    @Test(arguments: [
        ("slot", CBORValue.unsigned(0)), ("slot", .unsigned(2)), ("slot", .unsigned(257)), ("slot", .null),
        ("sig", .bytes([UInt8](repeating: 1, count: 65))), ("sig", .bytes([UInt8](repeating: 0xFF, count: 64))),
        ("sig", nil), ("pubkey", nil), ("pubkey", .bytes([2] + [UInt8](repeating: 0, count: 31) + [5])),
        ("card_nonce", .bytes([])), ("card_nonce", .text("0123456789abcdef")),
    ])
    func misshapenFields(field: String, value: CBORValue?) throws {
        try expectBadResponse("sign", field) {
            try sign { [card] in
                var answer = try card.signature($0, slot: 1)
                answer[field] = value
                return answer
            }
        }
    }

    @Test func eachProductSignsInItsOwnWay() throws {
        let satscard = try OpenSession(.map(try card.status()))
        #expect(throws: TapError.notSupported(command: "sign", product: .satscard)) {
            try satscard.session.sign(digest: digest, subpath: DerivationPath(), cvc: cvc)
        }
        let tapsigner = try OpenSession(.map(card.card.status()))
        #expect(throws: TapError.notSupported(command: "sign", product: .tapsigner)) {
            try tapsigner.session.sign(
                digest: digest, slot: slot, address: try Address(parsing: card.address(1), network: .main), cvc: cvc)
        }
        #expect(satscard.channel.requests.count + tapsigner.channel.requests.count == 2)
    }
}
