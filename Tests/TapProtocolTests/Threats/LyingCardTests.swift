import Bitcoin
import ByteCodec
import LyingCards
import TapSimulator
import Testing

@testable import TapProtocol

/// The threats page, "The card lies", in its order; lies about a signer's keys are in `LyingSignerTests`.
@Suite struct LyingCardTests {
    private static let versions: [TapSimulator.AppletVersion] = [.v100, .v102, .v103]

    // MARK: Counterfeit without certificates

    @Test(arguments: SimulatedProduct.allCases)
    func counterfeitWithoutCertificates(product: SimulatedProduct) throws {
        // They lead to the card's own key, which is nobody's root.
        let none = try ThreatBench(product, .noCertificates).proveCard().verdict
        #expect(none.rootName == "unknown" && !none.isAccepted && !none.isGenuine)
        let own = try ThreatBench(product, .ownCertificates).proveCard().verdict
        #expect(own.rootName == "unknown" && !own.isAccepted && !own.isGenuine)
    }

    // MARK: Real certificates replayed from another card

    @Test(arguments: SimulatedProduct.allCases)
    func certificatesReplayedFromAnotherCard(product: SimulatedProduct) throws {
        let verdict = try ThreatBench(product, .certificatesOfAnotherCard).proveCard().verdict
        #expect(verdict.rootName == "unknown" && !verdict.isAccepted)
        try expectFailure(of: .cardKey) { try ThreatBench(product, .identityOfAnotherCard).proveCard() }
    }

    // MARK: Certified key differs from the key that is used for the ident or the session

    @Test(arguments: SimulatedProduct.allCases)
    func certifiedKeyIsNotTheIdents(product: SimulatedProduct) throws {
        for lie in [Dishonesty.checkByAnotherKey, .checkRelayed] {
            try expectFailure(of: .cardKey) { try ThreatBench(product, lie).proveCard() }
        }
    }

    /// With another card's name, and certificates, the session key is another card's too: the CVC never arrives.
    @Test func certifiedKeyIsNotTheSessions() throws {
        let bench = try ThreatBench(.tapsigner, .identityOfAnotherCard)
        #expect(try tapError { try bench.session().test(bench.cvc) }.code == .wrongCVC)
    }

    // MARK: Another card's slot key

    @Test(arguments: versions)
    func anotherCardsSlotKey(version: TapSimulator.AppletVersion) throws {
        let bench = try ThreatBench(.satscard, .slotKeyOfAnotherCard) { $0.version = version }
        try expectFailure(of: .cardKey) { try bench.proveCard() }
    }

    /// Before 1.0.0 `check` is not about the slot: the seal is said to be unproven.
    @Test func anotherCardsSlotKeyOnAnEarlyCard() throws {
        let bench = try ThreatBench(.satscard, .slotKeyOfAnotherCard) { $0.version = .v090 }
        #expect(try bench.proveCard().activeSlot?.seal == .unproven)
    }

    @Test func anotherSlotKeyInReadAlone() throws {
        try expectFailure(of: .address) { try ThreatBench(.satscard, .readByAnotherKey).session().read() }
    }

    @Test func anotherSlotKeyFromUnseal() throws {
        let bench = try ThreatBench(.satscard, .unsealsAnotherKey)
        try expectFailure(of: .address) { try bench.session().unseal(cvc: bench.cvc) }
        let known = try ThreatBench(.satscard, .unsealsAnotherKey)
        let session = try known.session()
        _ = try session.read()
        try expectFailure(of: .slotKey) { try session.unseal(cvc: known.cvc) }
    }

    @Test func anotherSlotKeyFromDump() throws {
        let bench = try ThreatBench(.satscard)
        let session = try bench.session()
        let opened = try session.unseal(cvc: bench.cvc)
        try bench.card.lie([.dumpsAnotherKey])
        try expectFailure(of: .slotKey) { try session.dump(opened.slot, cvc: bench.cvc) }
    }

    // MARK: Own chain code instead of ours

    @Test func ownChainCodeInASlot() throws {
        for (lie, proof) in [(Dishonesty.ignoresChainCode, Proof.chainCode), (.claimsSuppliedChainCode, .masterKey)] {
            let bench = try ThreatBench(.satscard, lie, isReady: false)
            let session = try bench.session()
            try session.createSlotKey(chainCode: bench.chainCode, cvc: bench.cvc)
            try expectFailure(of: proof) { try session.proveSlotOrigin(chainCode: bench.chainCode) }
        }
    }

    // MARK: Address whose middle does not belong to its ends

    @Test func endsOfAnotherAddress() throws {
        let bench = try ThreatBench(.satscard, .addressOfAnotherKey)
        try expectFailure(of: .address) { try bench.session().read() }
        try expectFailure(of: .masterKey) { try bench.session().proveSlotOrigin() }
        try expectFailure(of: .address) { try bench.session().unseal(cvc: bench.cvc) }
    }

    @Test func foreignMiddleOfAnOpenedSlotsAddress() throws {
        let slot = SlotNumber(index: 1)
        try expectFailure(of: .address) {
            try ThreatBench(.satscard, .addressWithForeignMiddle).session().dump(slot)
        }
        // Early cards name no key: a key that is known from `dump` with the CVC tells.
        let early = try ThreatBench(.satscard, .addressWithForeignMiddle) { $0.version = .v102 }
        let session = try early.session()
        _ = try session.dump(slot, cvc: early.cvc)
        try expectFailure(of: .address) { try session.dump(slot) }
    }

    // MARK: Slot said sealed that is not

    @Test(arguments: versions)
    func openedSlotSaidSealed(version: TapSimulator.AppletVersion) throws {
        // `check` is about the slot that is sealed really, or about none.
        try expectFailure(of: .cardKey) {
            try ThreatBench(.satscard, .openedSlotSaidSealed) { $0.version = version }.proveCard()
        }
        try expectFailure(of: .slotKey) {
            try ThreatBench(.satscard, .openedSlotSaidSealed, isReady: false) { $0.version = version }.proveCard()
        }
    }

    @Test func dumpSaysSealedOfAnOpenedSlot() throws {
        let bench = try ThreatBench(.satscard, .dumpHidesOpenedSlots)
        for cvc in [nil, bench.cvc] {
            try expectFailure(of: .slotState) { try bench.session().dump(SlotNumber(index: 1), cvc: cvc) }
        }
    }

    // MARK: Signature by another key, over another digest, high S

    private func sign(_ product: SimulatedProduct, _ lie: Dishonesty) throws -> CardSignature {
        let bench = try ThreatBench(product)
        let session = try bench.session()
        guard product == .satscard else {
            _ = try session.extendedPublicKey(master: false, cvc: bench.cvc)
            try bench.card.lie([lie])
            return try session.sign(digest: bench.digest, subpath: DerivationPath(), cvc: bench.cvc)
        }
        guard case .opened(let slot) = try session.dump(SlotNumber(index: 1), cvc: bench.cvc) else {
            throw TapError.badProof(.slotState, detail: "the slot is not opened")
        }
        try bench.card.lie([lie])
        return try session.sign(digest: bench.digest, slot: slot.slot, address: slot.address, cvc: bench.cvc)
    }

    @Test(arguments: SimulatedProduct.allCases)
    func signatureByAnotherKey(product: SimulatedProduct) throws {
        try expectFailure(of: .signingKey) { try sign(product, .signsWithAnotherKey) }
        try expectFailure(of: .signature) { try sign(product, .signsWithAnotherKeyInOurName) }
        guard product != .satscard else { return }
        try expectFailure(of: .signingKey) { try sign(product, .signsAtAnotherSubpath) }
    }

    @Test(arguments: SimulatedProduct.allCases)
    func linkByAnotherKey(product: SimulatedProduct) throws {
        try expectFailure(of: .link) { try ThreatBench(product, .linkByAnotherKey).session().tapLink() }
    }

    @Test(arguments: SimulatedProduct.allCases)
    func signatureOverAnotherDigest(product: SimulatedProduct) throws {
        try expectFailure(of: .signature) { try sign(product, .signsAnotherDigest) }
    }

    /// No lies at all: the same signatures in another form.
    @Test(arguments: SimulatedProduct.allCases)
    func highS(product: SimulatedProduct) throws {
        #expect(try sign(product, .signsWithHighS).signature.hasLowS)
        #expect(try !sign(product, .signsWithHighR).signature.hasLowR)
    }

    // MARK: A status that changes its ident between two taps

    @Test(arguments: SimulatedProduct.allCases)
    func identThatChangesBetweenTwoTaps(product: SimulatedProduct) async throws {
        let bench = try ThreatBench(product, .identChangesBetweenTaps)
        let tap = TapCard(reader: bench.reader)
        let first = try await tap.perform { $0.status.ident }
        bench.reader.pull(.atOnce)
        await #expect {
            try await tap.perform { try $0.refreshStatus() }
        } throws: { error in
            guard case .anotherCard(first, let found)? = error as? TapError else { return false }
            return found != first
        }
    }

    @Test(arguments: SimulatedProduct.allCases)
    func identThatChangesBetweenTwoAnswers(product: SimulatedProduct) throws {
        let session = try ThreatBench(product, .identChangesBetweenAnswers).session()
        #expect(try tapError { try session.refreshStatus() }.code == .anotherCard)
    }

    // MARK: Answers that are cut, doubled, stale, of wrong types, with trailing bytes

    private func check(behind lie: Lie, _ turn: Liar.Turn = .always) throws {
        let bench = try ThreatBench(.satscard, liar: Liar(when: .commands(["read", "check"]), turn, tell: lie))
        _ = try bench.proveCard()
    }

    @Test func cutAnswers() throws {
        for count in [0, 1, 40, 90] {
            try expectBadResponse("read", "") { try check(behind: .cut(to: count)) }
        }
        #expect(try tapError { try check(behind: .empty) }.code == .cardRemoved)
        #expect(try tapError { try check(behind: .endless) }.code == .badResponse)
    }

    @Test func doubledAnswers() throws {
        for lie in [Lie.doubleData, .double] { try expectBadResponse("read", "") { try check(behind: lie) } }
        try expectBadResponse("read", "") { try check(behind: .duplicate("sig")) }
    }

    @Test func staleAnswers() throws {
        let liar = Liar(when: .command("read"), .from(2), tell: .replay())
        let session = try ThreatBench(.satscard, liar: liar).session()
        _ = try session.read()
        try expectFailure(of: .readSignature) { try session.read() }
        #expect(liar.lies == 1)
        let stale = try ThreatBench(.satscard, liar: Liar(when: .command("check"), tell: .stale))
        try expectBadResponse("check", "auth_sig") { try stale.proveCard() }
    }

    /// A card whose own nonce never changes: ours does, so that nothing old counts as new.
    @Test func aNonceThatNeverChanges() throws {
        let bench = try ThreatBench(.satscard, .keepsNonce)
        let session = try bench.session()
        let key = try session.read()
        let old = try #require(bench.liar.exchanges.last { $0.name == "read" })
        #expect(try session.read() == key)
        let new = try #require(bench.liar.exchanges.last { $0.name == "read" })
        #expect(old.answer != new.answer)
    }

    /// A card that says that it has a new CVC, and has not: its first use tells.
    @Test func aChangeThatIsNone() throws {
        let bench = try ThreatBench(.tapsigner, .changesNothing)
        let session = try bench.session()
        let newCVC = try CVC("654321")
        try session.changeCVC(from: bench.cvc, to: newCVC)
        #expect(try tapError { try session.test(newCVC) }.code == .wrongCVC)
    }

    @Test(arguments: Lie.ValueType.allCases)
    func answersOfWrongTypes(type: Lie.ValueType) throws {
        for field in ["sig", "pubkey", "card_nonce"] where type != .bytes {
            try expectBadResponse("read", field) { try check(behind: .retype(field, as: type)) }
        }
    }

    @Test func trailingBytes() throws {
        for lie in [Lie.append([0x00]), .append([0xF6]), .trail([0x90, 0x00])] {
            try expectBadResponse("read", "") { try check(behind: lie) }
        }
    }

    // MARK: Errors that never end

    @Test func unluckyForEver() throws {
        let liar = Liar(when: .command("sign"), tell: .error(205), reachesCard: false)
        let bench = try ThreatBench(.tapsigner, liar: liar)
        let error = try tapError {
            try bench.session().sign(digest: bench.digest, subpath: DerivationPath(), cvc: bench.cvc)
        }
        #expect(error.code == .unluckyNumber)
        #expect(liar.exchanges.filter { $0.name == "sign" }.count == 11)
    }

    @Test(arguments: [
        (417, "card_error", 4), (401, "wrong_cvc", 1), (429, "rate_limited", 1), (403, "cvc_needed", 1),
        (406, "card_error", 1), (999, "card_error", 1),
    ])
    func otherErrorsForEver(code: UInt64, expected: String, times: Int) throws {
        for command in ["xpub", "sign"] {
            let liar = Liar(when: .command(command), tell: .error(code), reachesCard: false)
            let bench = try ThreatBench(.tapsigner, liar: liar)
            let key = try ThreatBench(.tapsigner).account()
            let error = try tapError {
                let session = try bench.session()
                if command == "xpub" { try session.test(bench.cvc) } else { try session.probe(key, cvc: bench.cvc) }
            }
            #expect(error.code.rawValue == expected)
            #expect(liar.exchanges.filter { $0.name == command }.count == times)
        }
    }
}
