import Bitcoin
import ByteCodec
import Testing

@testable import LyingCards
@testable import TapSimulator

/// Each lie about slots does what it says, on every version.
@Suite struct CounterfeitSlotTests {
    private func bench(_ version: AppletVersion, _ lies: Dishonesty...) throws -> CounterfeitBench {
        let bench = try CounterfeitBench(
            model: PublishedCommandsTests.Model(product: .satscard, version: version))
        try bench.card.lie(lies, accomplice: bench.accomplice)
        return bench
    }

    private func address(_ bench: CounterfeitBench) throws -> String { try bench.app.send("status").string("addr") }

    @Test(arguments: AppletVersion.allCases) func slotKeyOfAnotherCard(version: AppletVersion) throws {
        let bench = try bench(version, .slotKeyOfAnotherCard)
        let other = try bench.otherSlotKey
        #expect(try address(bench) == bench.ends(other))
        #expect(try bench.read(slot: 1) == other)
        #expect(try bench.derived().slotKey == other)
        let key = try #require(bench.app.cardKey)
        // The proof that tells, where there is one.
        let covers = version != .v090
        #expect(try bench.isChecked(by: key, slotKey: other.bytes) == false)
        #expect(try bench.isChecked(by: key, slotKey: covers ? bench.sealedKey().bytes : []))
    }

    @Test(arguments: AppletVersion.allCases) func readByAnotherKey(version: AppletVersion) throws {
        let bench = try bench(version, .readByAnotherKey)
        let truth = try bench.sealedKey()
        #expect(try address(bench) == bench.ends(truth))
        #expect(try bench.read(slot: 1) == bench.otherSlotKey)
        #expect(try bench.derived().slotKey == truth)
    }

    @Test(arguments: AppletVersion.allCases) func addressOfAnotherKey(version: AppletVersion) throws {
        let bench = try bench(version, .addressOfAnotherKey)
        #expect(try address(bench) == bench.ends(bench.otherSlotKey))
        #expect(try bench.read(slot: 1) == bench.sealedKey())
    }

    @Test(arguments: AppletVersion.allCases) func addressWithForeignMiddle(version: AppletVersion) throws {
        let bench = try bench(version, .addressWithForeignMiddle)
        let truth = try #require(try bench.card.record.slots?[0].address)
        let told = try bench.app.send("dump", .slot(0)).string("addr")
        #expect(told != truth && told.utf8.count == truth.utf8.count)
        #expect(told.prefix(12) == truth.prefix(12) && told.suffix(12) == truth.suffix(12))
        let decoded = try Bech32.decode(told)
        #expect(decoded.humanReadablePart == "bc" && decoded.variant == .bech32)
        // With the CVC, and from 1.0.3 on without it, the key shows.
        let key = try PublicKey(bench.app.sendWithCVC("dump", .slot(0)).content("pubkey"))
        #expect(bench.ends(key) == "\(truth.prefix(12))___\(truth.suffix(12))")
    }

    @Test(arguments: AppletVersion.allCases) func openedSlotSaidSealed(version: AppletVersion) throws {
        let bench = try bench(version, .openedSlotSaidSealed)
        let status = try bench.app.send("status")
        #expect(status["slots"] == .array([.unsigned(0), .unsigned(10)]))
        let opened = try #require(try bench.card.record.slots?[0].address)
        #expect(try status.string("addr") == "\(opened.prefix(12))___\(opened.suffix(12))")
        let read = try bench.read(slot: 0)
        #expect(try bench.derived().slotKey == read)
        #expect(try bench.app.send("dump", .slot(0))["sealed"] == .bool(true))
        #expect(try bench.app.send("dump", .slot(1))["used"] == .bool(false))
        let key = try #require(bench.app.cardKey)
        #expect(try bench.isChecked(by: key, slotKey: read.bytes) == false)
        // The key is known to whoever opened the slot.
        let secret = try #require(try bench.card.record.slotKeys?[0])
        #expect(try PrivateKey(SecretBytes(try Hex.decode(secret))).publicKey == read)
    }

    @Test(arguments: AppletVersion.allCases) func dumpHidesOpenedSlots(version: AppletVersion) throws {
        let bench = try bench(version, .dumpHidesOpenedSlots)
        _ = try bench.app.send("status")
        for answer in [try bench.app.send("dump", .slot(0)), try bench.app.sendWithCVC("dump", .slot(0))] {
            #expect(answer["sealed"] == .bool(true))
            #expect(answer["addr"] == nil && answer["privkey"] == nil)
        }
        #expect(try bench.app.send("status")["slots"] == .array([.unsigned(1), .unsigned(10)]))
    }

    @Test(arguments: AppletVersion.allCases) func unsealsAnotherKey(version: AppletVersion) throws {
        let bench = try bench(version, .unsealsAnotherKey)
        let truth = try bench.sealedKey()
        _ = try bench.app.send("status")
        let answer = try bench.app.sendWithCVC("unseal", .slot(1))
        let secret = try PrivateKey(SecretBytes(bench.app.reveal(answer.content("privkey"))))
        #expect(try secret.publicKey == bench.otherSlotKey)
        #expect(try answer.content("pubkey") == secret.publicKey.bytes && secret.publicKey != truth)
        let master = try PrivateKey(SecretBytes(answer.content("master_pk")))
        let picked = PickedKey(masterKey: master, chainCode: try answer.content("chain_code"))
        #expect(try picked.slotKey(.main).publicKey == secret.publicKey)
        // The slot is open, with the key that it had.
        #expect(try bench.card.record.slots?[1].state == .unsealed)
        let opened = try PublicKey(bench.app.sendWithCVC("dump", .slot(1)).content("pubkey"))
        #expect(opened == truth)
    }

    @Test(arguments: AppletVersion.allCases) func dumpsAnotherKey(version: AppletVersion) throws {
        let bench = try bench(version, .dumpsAnotherKey)
        _ = try bench.app.send("status")
        let answer = try bench.app.sendWithCVC("dump", .slot(0))
        let secret = try PrivateKey(SecretBytes(bench.app.reveal(answer.content("privkey"))))
        #expect(try secret.publicKey == bench.otherSlotKey)
        #expect(try bench.app.send("dump", .slot(0)).string("addr") == bench.card.record.slots?[0].address)
    }

    @Test(arguments: AppletVersion.allCases) func chainCodes(version: AppletVersion) throws {
        for lie in [Dishonesty.ignoresChainCode, .claimsSuppliedChainCode] {
            var options = SimulatedCardOptions(product: .satscard)
            options.isBlank = true
            options.version = version
            let card = try SimulatedCard(options, dishonesty: [lie])
            let app = try AppSide(card)
            let chainCode = LifeCycleTests.chainCode
            #expect(try app.sendWithCVC("new", ["chain_code": .bytes(chainCode)]).errorCode == nil)
            guard case .satscard(let slots) = card.state.content, let sealed = slots.sealedKey else {
                Issue.record("No slot is sealed.")
                continue
            }
            #expect(sealed.chainCode != chainCode)
            let answer = try app.sendWithNonce("derive")
            let master = try PublicKey(answer.content("master_pubkey"))
            let shown = try answer.content("chain_code")
            let signature = try #require(ECDSASignature(compact: try answer.content("sig")))
            #expect(master.isValid(signature, for: app.digest(rest: shown)))
            #expect((shown == chainCode) == (lie == .claimsSuppliedChainCode))
            let tree = ExtendedPublicKey(
                network: .main, depth: 0, childNumber: ChildNumber(rawValue: 0),
                chainCode: try #require(ChainCode(shown)),
                publicKey: master)
            let slotKey = try tree.descendant(DerivationPath([ChildNumber(rawValue: 0)])).publicKey
            let read = try PublicKey(app.sendWithNonce("read").content("pubkey"))
            #expect((slotKey == read) == (lie == .ignoresChainCode))
        }
    }
}
