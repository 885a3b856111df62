import Bitcoin
import ByteCodec
import Testing

@testable import TapProtocol

/// `new` on a SATSCARD.
@Suite struct NewSlotTests {
    private let cvc: CVC
    /// The third slot is next.
    private let before: TestSatscard
    private let after: TestSatscard
    private let chainCode = ChainCode(repeating: 0x21)

    init() throws {
        cvc = try CVC(TestCard.cvc)
        after = try TestSatscard(active: 2)
        var before = after
        before.isUsed = false
        self.before = before
    }

    private func open(slot: UInt64 = 2, then status: CBORMap) throws -> OpenSession {
        try OpenSession(
            .map(try before.status()), .map(["slot": .unsigned(slot), "card_nonce": .bytes(TestCard.nonce(2))]),
            .map(status))
    }

    @Test func theCardPicksAKeyForItsNextSlot() throws {
        let open = try open(then: try after.status(nonce: TestCard.nonce(2)))
        try open.session.createSlotKey(chainCode: chainCode, cvc: cvc)
        #expect(open.session.status.address?.description == TestSatscard.trimmed(try after.address(2)))
        #expect(open.channel.commandNames == ["select", "new", "status"])
        let request = try #require(open.channel.maps(of: "new").first)
        #expect(request["slot"] == .unsigned(2) && request["chain_code"] == .bytes(chainCode.bytes))
    }

    @Test func aSlotWithoutAddressAfterwardsFails() throws {
        var next = after
        next.active = 3
        var stillUnused = next
        stillUnused.isUsed = false
        for status in [before, next, stillUnused] {
            let open = try open(then: try status.status(nonce: TestCard.nonce(2)))
            try expectFailure(of: .slotState) { try open.session.createSlotKey(chainCode: chainCode, cvc: cvc) }
        }
    }

    @Test func anotherSlotIsABadResponse() throws {
        let open = try open(slot: 3, then: try after.status())
        try expectBadResponse("new", "slot") { try open.session.createSlotKey(chainCode: chainCode, cvc: cvc) }
    }

    @Test func aSlotInUseAndAFullCardAreNotAsked() throws {
        var full = before
        full.active = 10
        var last = after
        last.active = 9
        for card in [after, full, last] {
            let open = try OpenSession(.map(try card.status()))
            try expectInvalidArgument("new") { try open.session.createSlotKey(chainCode: chainCode, cvc: cvc) }
            #expect(open.channel.commandNames == ["select"])
        }
        let signer = try OpenSession(.map(after.card.status()))
        #expect(throws: TapError.notSupported(command: "new", product: .tapsigner)) {
            try signer.session.createSlotKey(chainCode: chainCode, cvc: cvc)
        }
    }

    /// The next proof after `new`: a card that took a chain code of its own.
    @Test func aChainCodeOfTheCardsOwnIsFoundOut() throws {
        let open = try open(then: try after.status(nonce: TestCard.nonce(2)))
        try open.session.createSlotKey(chainCode: chainCode, cvc: cvc)
        open.channel.answers = [
            .computed { [after] in try after.derive($0, cardNonce: TestCard.nonce(2), next: TestCard.nonce(3)) }
        ]
        try expectFailure(of: .chainCode) { try open.session.proveSlotOrigin(chainCode: chainCode) }
    }
}
