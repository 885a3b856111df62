import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

@Suite struct NFCTests {
    /// The fields of a link in order, and the keys that could have signed it.
    private func read(_ url: String) throws -> (fields: [(String, String)], signers: [PublicKey]) {
        let parts = url.split(separator: "#", maxSplits: 1)
        let text = try #require(parts.last)
        let fields = text.split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1)
            return (String(halves[0]), halves.count == 2 ? String(halves[1]) : "")
        }
        let (name, hex) = try #require(fields.last)
        #expect(name == "s")
        let digest = Digest(hashing: Array(text.utf8).dropLast(hex.utf8.count))
        let signature = try #require(ECDSASignature(compact: try Hex.decode(hex)))
        let signers = (0...3).compactMap { try? signature.recoveredKey(digest: digest, recoveryID: $0) }
        return (fields, signers)
    }

    @Test func thePublishedLinksAreReadAlike() throws {
        for row in try VectorCard.rows("url") {
            #expect(try read(row.text("url")).signers.contains(row.publicKey("public_key")), "\(row)")
        }
    }

    @Test(arguments: [(SimulatedProduct.tapsigner, "tapsigner.com"), (.satschip, "satschip.com")])
    func signersNameThemselves(product: SimulatedProduct, host: String) throws {
        let app = try AppSide(SimulatedCardOptions(product: product))
        let cardKey = try #require(app.cardKey)
        for state in ["U", "S"] {
            let url = try app.send("nfc").string("url")
            #expect(url.hasPrefix("https://\(host)/start#"))
            let (fields, signers) = try read(url)
            #expect(fields.map(\.0) == ["t", "u", "c", "n", "s"])
            #expect(fields[1].1 == state)
            #expect(fields[2].1 == Hex.encode(SHA256.hash(cardKey.bytes).prefix(8)))
            #expect(fields[3].1.utf8.count == 16)
            #expect(signers.contains(cardKey))
            _ = try app.sendWithCVC("new", ["chain_code": .bytes(LifeCycleTests.chainCode)])
        }
    }

    @Test func everyLinkHasItsOwnNonce() throws {
        let app = try AppSide(SimulatedCardOptions(product: .tapsigner))
        #expect(try app.send("nfc").string("url") != app.send("nfc").string("url"))
    }

    @Test(arguments: [(0, "S", "0"), (4, "S", "4"), (10, "U", "9")])
    func satscardsNameTheirSlot(used: Int, state: String, slot: String) throws {
        var options = SimulatedCardOptions(product: .satscard)
        options.usedSlots = used
        let app = try AppSide(options)
        let (fields, signers) = try read(app.send("nfc").string("url"))
        #expect(fields.map(\.0) == ["u", "o", "r", "n", "s"])
        #expect(fields[0].1 == state && fields[1].1 == slot)
        let number = try #require(Int(slot))
        let address = try #require(try app.card.record.slots?[number].address)
        #expect(fields[2].1 == address.suffix(8))
        let key = try #require(try app.card.record.slotKeys?[number])
        #expect(signers.contains(try PrivateKey(SecretBytes(try Hex.decode(key))).publicKey))
    }

    @Test func anUnusedSlotShowsTheOneBefore() throws {
        var options = SimulatedCardOptions(product: .satscard)
        options.usedSlots = 2
        options.isBlank = true
        let (fields, _) = try read(AppSide(options).send("nfc").string("url"))
        #expect(fields[0].1 == "U" && fields[1].1 == "1")
    }

    @Test func aBlankSatscardHasNothingToSign() throws {
        var options = SimulatedCardOptions(product: .satscard)
        options.isBlank = true
        #expect(try AppSide(options).send("nfc").string("url") == "https://getsatscard.com/start#")
    }
}
