import Bitcoin
import TestSupport
import Testing

@testable import TapProtocol

@Suite struct SessionKeyTests {
    @Test func hidesTheCVC() throws {
        let rows = try CardVectors.rows("xcvc")
        #expect(rows.count == 10)
        for row in rows {
            let key = try SessionKey(
                ephemeral: PrivateKey(SecretBytes(try row.bytes("ephemeral_private_key"))),
                cardKey: PublicKey(try row.bytes("card_public_key")))
            #expect(key.ephemeralPublicKey.bytes == (try row.bytes("epubkey")), "\(row.testDescription)")
            #expect(key.hidden([UInt8](repeating: 0, count: 32)) == (try row.bytes("session_key")))
            let hidden = key.hidden(
                try CVC(try row.text("cvc")), cardNonce: try row.bytes("card_nonce"), command: try row.text("cmd"))
            #expect(hidden == (try row.bytes("xcvc")), "\(row.testDescription)")
        }
    }

    @Test func hidingTwiceGivesThePlaintext() throws {
        let key = try SessionKey(
            ephemeral: PrivateKey(SecretBytes(try CardVectors.ephemeralSecret)),
            cardKey: try CardVectors.cardKey.publicKey)
        let plaintext = [UInt8](0..<32)
        #expect(key.hidden(key.hidden(plaintext)) == plaintext)
        #expect(key.hidden(plaintext) != plaintext)
    }
}
