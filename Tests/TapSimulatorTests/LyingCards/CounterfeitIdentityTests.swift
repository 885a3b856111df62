import Bitcoin
import ByteCodec
import Testing

@testable import LyingCards
@testable import TapSimulator

/// Each lie about who the card is does what it says, on every product and version.
@Suite struct CounterfeitIdentityTests {
    typealias Model = PublishedCommandsTests.Model

    /// What `check` covers on a model in use.
    private func covered(_ bench: CounterfeitBench, _ model: Model) throws -> [UInt8] {
        guard model.product == .satscard, model.version.checkCoversSlotKey else { return [] }
        return try bench.sealedKey().bytes
    }

    @Test(arguments: Model.all) func honestCardsProveThemselves(model: Model) throws {
        let bench = try CounterfeitBench(model: model)
        let key = try #require(bench.app.cardKey)
        #expect(try bench.root(from: key) == bench.rootKey)
        #expect(try bench.isChecked(by: key, slotKey: covered(bench, model)))
    }

    @Test(arguments: Model.all) func noCertificates(model: Model) throws {
        let bench = try CounterfeitBench(.noCertificates, model: model)
        let key = try #require(bench.app.cardKey)
        #expect(try bench.app.send("certs")["cert_chain"] == .array([]))
        #expect(try bench.isChecked(by: key, slotKey: covered(bench, model)))
    }

    @Test(arguments: Model.all) func ownCertificates(model: Model) throws {
        let bench = try CounterfeitBench(.ownCertificates, model: model)
        let key = try #require(bench.app.cardKey)
        let root = try #require(try bench.root(from: key))
        #expect(try root != bench.rootKey)
        // A chain of keys that stay the same, not of signatures that lead anywhere.
        #expect(try root == bench.root(from: key))
    }

    @Test(arguments: Model.all) func certificatesOfAnotherCard(model: Model) throws {
        let bench = try CounterfeitBench(.certificatesOfAnotherCard, model: model)
        let key = try #require(bench.app.cardKey)
        #expect(try bench.root(from: key) != bench.rootKey)
        #expect(try bench.root(from: bench.accompliceKey) == bench.rootKey)
        #expect(try bench.isChecked(by: key, slotKey: covered(bench, model)))
    }

    @Test(arguments: Model.all) func identityOfAnotherCard(model: Model) throws {
        let bench = try CounterfeitBench(.identityOfAnotherCard, model: model)
        let key = try #require(bench.app.cardKey)
        #expect(try key == bench.accompliceKey)
        #expect(try bench.root(from: key) == bench.rootKey)
        #expect(try !bench.isChecked(by: key, slotKey: covered(bench, model)))
        #expect(try bench.isChecked(by: bench.card.record.cardKey, slotKey: covered(bench, model)))
        // It cannot read what is meant for the other card.
        let command = model.product == .satscard ? "dump" : "read"
        _ = try bench.app.send("status")
        #expect(try bench.app.sendWithCVC(command, .slot(0), wantsNonce: true).errorCode == 401)
    }

    @Test(arguments: Model.all) func checkByAnotherKey(model: Model) throws {
        let bench = try CounterfeitBench(.checkByAnotherKey, model: model)
        let key = try #require(bench.app.cardKey)
        #expect(try bench.root(from: key) == bench.rootKey)
        #expect(try !bench.isChecked(by: key, slotKey: covered(bench, model)))
        #expect(try bench.isChecked(by: bench.accompliceKey, slotKey: covered(bench, model)))
    }

    @Test(arguments: Model.all) func checkRelayed(model: Model) throws {
        let bench = try CounterfeitBench(.checkRelayed, model: model)
        let key = try #require(bench.app.cardKey)
        #expect(try bench.root(from: bench.accompliceKey) == bench.rootKey)
        #expect(try bench.isChecked(by: bench.accompliceKey, slotKey: covered(bench, model)))
        #expect(try !bench.isChecked(by: key, slotKey: covered(bench, model)))
        #expect(try bench.card.record.cardKey == key)
    }

    @Test(arguments: Model.all) func identChangesBetweenTaps(model: Model) throws {
        let bench = try CounterfeitBench(.identChangesBetweenTaps, model: model)
        let own = try #require(bench.app.cardKey)
        for expected in [own, try bench.accompliceKey, own, try bench.accompliceKey] {
            try bench.app.tap()
            #expect(bench.app.cardKey == expected)
            #expect(try bench.root(from: expected) == bench.rootKey)
            #expect(try bench.isChecked(by: expected, slotKey: covered(bench, model)))
        }
    }

    @Test(arguments: Model.all) func identChangesBetweenAnswers(model: Model) throws {
        let bench = try CounterfeitBench(.identChangesBetweenAnswers, model: model)
        var keys = [bench.app.cardKey]
        for _ in 0..<3 {
            _ = try bench.app.send("status")
            keys.append(bench.app.cardKey)
        }
        let (own, other) = (try bench.card.record.cardKey, try bench.accompliceKey)
        #expect(keys == [own, other, own, other])
    }

    @Test(arguments: Model.all) func keepsNonce(model: Model) throws {
        let bench = try CounterfeitBench(.keepsNonce, model: model)
        let nonce = bench.app.cardNonce
        _ = try bench.app.sendWithNonce("check")
        #expect(bench.app.cardNonce == nonce)
        _ = try bench.app.send("status")
        #expect(bench.app.cardNonce == nonce)
    }

    @Test(arguments: Model.all) func linkByAnotherKey(model: Model) throws {
        let bench = try CounterfeitBench(.linkByAnotherKey, model: model)
        let link = try bench.app.send("nfc").string("url")
        let text = try #require(link.split(separator: "#").last)
        let signature = try #require(ECDSASignature(compact: try Hex.decode(text.suffix(128))))
        #expect(text.dropLast(128).hasSuffix("&s="))
        let digest = Digest(hashing: Array(text.utf8).dropLast(128))
        #expect(try bench.accompliceKey.isValid(signature, for: digest))
    }

    @Test func honestAgain() throws {
        let bench = try CounterfeitBench(.noCertificates, model: Model(product: .tapsigner, version: .newest))
        try bench.card.lie([])
        let key = try #require(bench.app.cardKey)
        #expect(try bench.root(from: key) == bench.rootKey)
    }

    @Test func severalLiesAtOnce() throws {
        let bench = try CounterfeitBench(
            .certificatesOfAnotherCard, .checkByAnotherKey, .signsWithHighS,
            model: Model(product: .satscard, version: .newest))
        let key = try #require(bench.app.cardKey)
        #expect(try bench.root(from: key) != bench.rootKey)
        let answer = try bench.app.sendWithNonce("check")
        let signature = try #require(ECDSASignature(compact: try answer.content("auth_sig")))
        #expect(!signature.hasLowS)
    }

    /// The keys of a card that somebody broke open.
    @Test func anAccompliceCanBeACard() throws {
        let victim = try Model(product: .satscard, version: .newest).app().card
        let liar = try Model(product: .satscard, version: .newest).app()
        try liar.card.lie([.slotKeyOfAnotherCard, .identityOfAnotherCard], accomplice: Accomplice(victim))
        let status = try liar.send("status")
        #expect(try status.content("pubkey") == victim.record.cardKey.bytes)
        let address = try #require(try victim.record.slots?[1].address)
        #expect(try status.string("addr") == "\(address.prefix(12))___\(address.suffix(12))")
        let blank = try SimulatedCard(SimulatedCardOptions(product: .tapsigner))
        #expect(throws: SimulatedCardError.self) { try Accomplice(blank) }
    }

    /// Every kind of lie that the threats page names for the card has an example here.
    @Test func everyThreatHasAnExample() {
        let expected: Set<String> = [
            "counterfeit without certificates", "real certificates replayed from another card",
            "certified key differs from the key that is used for the ident or the session", "another card's slot key",
            "own chain code instead of ours", "address whose middle does not belong to its ends",
            "slot said sealed that is not", "signature by another key", "over another digest", "high S",
            "xpub that does not derive to the signing keys", "a status that changes its ident between two taps",
            "stale (old nonce)",
        ]
        #expect(Set(Dishonesty.allCases.map(\.threat)) == expected)
        #expect(Dishonesty.allCases.allSatisfy { !$0.products.isEmpty })
    }
}
