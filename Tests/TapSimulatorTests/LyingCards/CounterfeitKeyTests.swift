import Bitcoin
import ByteCodec
import Testing

@testable import LyingCards
@testable import TapSimulator

/// Each lie about a signer's keys, and each lie about signatures, does what it says.
@Suite struct CounterfeitKeyTests {
    typealias Model = PublishedCommandsTests.Model

    static let signers = Model.all.filter { $0.product != .satscard }
    private let digest = Digest(hashing: "digest".utf8)

    @Test(arguments: signers) func chainCodes(model: Model) throws {
        for lie in [Dishonesty.ignoresChainCode, .claimsSuppliedChainCode] {
            var options = SimulatedCardOptions(product: model.product)
            options.version = model.version
            let card = try SimulatedCard(options, dishonesty: [lie])
            let app = try AppSide(card)
            let chainCode = LifeCycleTests.chainCode
            #expect(try app.sendWithCVC("new", ["chain_code": .bytes(chainCode)]).errorCode == nil)
            let real = try #require(card.state.signerKey).master.chainCode
            #expect(real != chainCode)
            let xpub = try app.sendWithCVC("xpub", ["master": .bool(true)]).content("xpub")
            let shown = try ExtendedPublicKey(serialized: xpub)
            #expect((shown.chainCode.bytes == chainCode) == (lie == .claimsSuppliedChainCode))
            #expect((shown.chainCode.bytes == real) == (lie == .ignoresChainCode))
            guard model.product == .tapsigner else { continue }
            let data = try app.sendWithCVC("backup").content("data")
            let aesKey = SecretBytes(try Hex.decode(try #require(card.record.aesKey)))
            let text = String(decoding: try #require(AES128CTR.crypt(data, key: aesKey)), as: UTF8.self)
            let backup = try ExtendedPrivateKey(parsing: String(text.split(separator: "\n")[0]))
            #expect(backup.neutered == shown)
            #expect(card.record.backups == 1)
            // What tells: the account that follows from the backup is not the one that the card uses.
            let account = try ExtendedPublicKey(
                serialized: app.sendWithCVC("xpub", ["master": .bool(false)]).content("xpub"))
            let expected = try backup.descendant(DerivationPath(parsing: "m/84h/0h/0h")).privateKey.publicKey
            #expect((account.publicKey == expected) == (lie == .ignoresChainCode))
        }
    }

    @Test(arguments: signers) func extendedKeys(model: Model) throws {
        let honest = try CounterfeitBench(model: model)
        let (master, account) = (try honest.xpub(master: true), try honest.xpub(master: false))
        func told(_ lie: Dishonesty) throws -> (master: ExtendedPublicKey, account: ExtendedPublicKey) {
            try honest.card.lie([lie], accomplice: honest.accomplice)
            return (try honest.xpub(master: true), try honest.xpub(master: false))
        }
        let otherMaster = try honest.accomplice.key.master(.main).neutered
        var answers = try told(.xpubOfAnotherKey)
        #expect(answers.master == master)
        #expect(answers.account.publicKey != account.publicKey && answers.account.depth == account.depth)
        answers = try told(.masterXpubOfAnotherKey)
        #expect(answers.master == otherMaster && answers.account == account)
        answers = try told(.xpubWithAnotherChainCode)
        #expect(answers.master == master && answers.account.publicKey == account.publicKey)
        #expect(answers.account.chainCode.bytes == honest.accomplice.key.chainCode)
    }

    @Test(arguments: signers) func derivesAnotherPath(model: Model) throws {
        let bench = try CounterfeitBench(.derivesAnotherPath, model: model)
        let asked: [UInt64] = [0x8000_0054, 0x8000_0001]
        let answer = try bench.app.sendWithCVC(
            "derive", ["path": .array(asked.map(CBORValue.unsigned))], wantsNonce: true)
        #expect(try bench.app.send("status")["path"] == .array(asked.map(CBORValue.unsigned)))
        #expect(bench.card.record.path?.description == "m/84h/0h")
        let account = try bench.xpub(master: false)
        #expect(account.childNumber == ChildNumber(rawValue: 0x8000_0001))
        #expect(try account.publicKey.bytes == answer.content("pubkey"))
        let master = try #require(bench.card.state.signerKey).master
        #expect(try account.publicKey == master.descendant([0x8000_0054, 0x8000_0000], .main).privateKey.publicKey)
    }

    @Test(arguments: signers.filter { $0.product == .tapsigner }) func backupOfAnotherKey(model: Model) throws {
        let bench = try CounterfeitBench(.backupOfAnotherKey, model: model)
        let master = try bench.xpub(master: true)
        let count = bench.card.record.backups
        let backup = try bench.backup()
        #expect(backup.master.neutered != master)
        #expect(try backup.master.text == bench.accomplice.key.master(.main).text)
        #expect(bench.card.record.backups == count.map { $0 + 1 })
    }

    @Test(arguments: signers) func changesNothing(model: Model) throws {
        let bench = try CounterfeitBench(.changesNothing, model: model)
        let cvc = bench.card.record.cvc
        let answer = try bench.app.sendWithCVC("change", hidden: ["data": Array("999999".utf8)])
        #expect(answer["success"] == .bool(true))
        #expect(bench.card.record.cvc == cvc)
    }

    /// A signature, the key that it names, and the key that it should name.
    private func sign(
        _ lie: Dishonesty, _ model: Model
    ) throws -> (signature: ECDSASignature, named: PublicKey, right: PublicKey, bench: CounterfeitBench) {
        let bench = try CounterfeitBench(lie, model: model)
        let isSatscard = model.product == .satscard
        let arguments: CBORMap = isSatscard ? .slot(0) : ["subpath": .array([.unsigned(1), .unsigned(6)])]
        let right: PublicKey
        if case .satscard(let slots) = bench.card.state.content {
            right = try #require(slots.key(at: 0)).slotKey(.main).publicKey
        } else {
            right = try bench.card.state.derivedKey(below: [1, 6]).privateKey.publicKey
        }
        let answer = try bench.app.sendWithCVC("sign", arguments, hidden: ["digest": digest.bytes])
        let signature = try #require(ECDSASignature(compact: try answer.content("sig")))
        return (signature, try PublicKey(answer.content("pubkey")), right, bench)
    }

    @Test(arguments: Model.all) func signatures(model: Model) throws {
        var made = try sign(.signsWithAnotherKey, model)
        #expect(made.named != made.right && made.named.isValid(made.signature, for: digest))

        made = try sign(.signsWithAnotherKeyInOurName, model)
        #expect(made.named == made.right && !made.named.isValid(made.signature, for: digest))

        made = try sign(.signsAnotherDigest, model)
        #expect(made.named == made.right && !made.named.isValid(made.signature, for: digest))
        let other = try #require(Digest([digest.bytes[0] ^ 1] + digest.bytes.dropFirst()))
        #expect(made.named.isValid(made.signature, for: other))

        made = try sign(.signsWithHighR, model)
        #expect(made.named == made.right && made.named.isValid(made.signature, for: digest))
        #expect(!made.signature.hasLowR && made.signature.hasLowS)

        made = try sign(.signsWithHighS, model)
        #expect(!made.signature.hasLowS)
        // With S the other way round again it is a right signature.
        let low = try #require(ECDSASignature(compact: HighS.of(made.signature.compact)))
        #expect(made.right.isValid(low, for: digest))

        guard model.product != .satscard else { return }
        made = try sign(.signsAtAnotherSubpath, model)
        #expect(made.named != made.right && made.named.isValid(made.signature, for: digest))
        let neighbour = try made.bench.card.state.derivedKey(below: [1, 7]).privateKey.publicKey
        #expect(made.named == neighbour)
    }

    /// Every answer with a signature, not only that of `sign`.
    @Test(arguments: Model.all) func everySignatureHasAHighS(model: Model) throws {
        let bench = try CounterfeitBench(.signsWithHighS, model: model)
        let names = model.product == .satscard ? ["read", "derive", "check"] : ["check"]
        for name in names {
            let answer = try bench.app.sendWithNonce(name)
            let bytes = try answer.content(name == "check" ? "auth_sig" : "sig")
            let signature = try #require(ECDSASignature(compact: bytes))
            #expect(!signature.hasLowS)
        }
    }
}
